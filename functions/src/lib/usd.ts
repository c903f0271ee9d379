const NANO = 1_000_000_000;
/** Far above any sensible amount, far below where a JavaScript number stops being exact. */
const DOLLARS_MAX = 1_000_000;

/** An amount that a person wrote in US dollars, such as `5` or `$0.25`, in nano-USD, exactly; undefined for any other text. */
export function parseUsd(text: string): number | undefined {
  const [, dollars = '', fraction = ''] = /^\$?(\d{1,7})(?:\.(\d{1,9}))?$/.exec(text.trim()) ?? [];
  if (dollars === '' || Number(dollars) > DOLLARS_MAX) return undefined;
  return Number(dollars) * NANO + Number(fraction.padEnd(9, '0'));
}

/** An amount for people: `$5.00`, with more digits only where cents do not say it all. */
export function formatUsd(nanoUsd: number): string {
  const fraction = String(nanoUsd % NANO)
    .padStart(9, '0')
    .replace(/0{0,7}$/, '');
  return `$${Math.floor(nanoUsd / NANO)}.${fraction}`;
}

/** Nano-USD as the number of US dollars that clients see. */
export function usd(nanoUsd: number): number {
  return nanoUsd / NANO;
}
