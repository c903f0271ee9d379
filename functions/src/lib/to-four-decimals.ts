/** Shares are told to four decimals. */
const PRECISION = 10_000;

export function toFourDecimals(share: number): number {
  return Math.round(share * PRECISION) / PRECISION;
}
