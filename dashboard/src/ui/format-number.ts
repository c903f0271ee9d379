const CENT_USD = 0.01;
const SMALL_DIGITS = 2;

/** Dollars to the cent, below a cent to two significant digits: `$41.20`, `$0.0042`. */
export function usd(amount: number, locale?: string): string {
  const isSmall = amount > 0 && amount < CENT_USD;
  const digits = isSmall
    ? { maximumSignificantDigits: SMALL_DIGITS }
    : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
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
