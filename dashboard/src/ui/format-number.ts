/** Anything above rounds to a whole dollar. */
const SMALL_BELOW_USD = 0.9995;
const SMALL_DIGITS = { minimumSignificantDigits: 3, maximumSignificantDigits: 3 };

/** Dollars to the cent; what is below a dollar and is not whole cents to three digits: `$41.20`, `$0.0149`, `$0.50`. */
export function usd(amount: number, locale?: string): string {
  const isSmall = amount < SMALL_BELOW_USD && Number(amount.toFixed(2)) !== Number(amount.toFixed(9));
  return dollars(amount, isSmall ? SMALL_DIGITS : fractionOf(2), locale);
}

/** Dollars on an axis whose marks are `step` apart: as many digits as tell them apart, and $0. */
export function usdOnAxis(amount: number, step: number, locale?: string): string {
  const digits = Math.ceil(-Math.log10(step));
  return dollars(amount, fractionOf(digits <= 0 || amount === 0 ? 0 : Math.max(2, digits)), locale);
}

function fractionOf(digits: number): Intl.NumberFormatOptions {
  return { minimumFractionDigits: digits, maximumFractionDigits: digits };
}

function dollars(amount: number, digits: Intl.NumberFormatOptions, locale: string | undefined): string {
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    ...digits,
  }).format(amount);
}

const NANO_USD = 1e9;

/** Nano-USD, as the books count, in dollars. */
export function usdOfNano(nanoUsd: number, locale?: string): string {
  return usd(nanoUsd / NANO_USD, locale);
}

/** A count in full: `1,204`. */
export function count(value: number, locale?: string): string {
  return new Intl.NumberFormat(locale).format(value);
}

/** A count in few characters: `1.2M`. */
export function shortCount(value: number, locale?: string): string {
  return new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }).format(value);
}
