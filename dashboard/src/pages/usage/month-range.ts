/** Both ends of a range of UTC months, `YYYY-MM`, each of them within it. */
export interface MonthRange {
  readonly from: string;
  readonly to: string;
}

/** Number of months that the API reports at a time. */
export const MONTHS_MAX = 24;

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;
const MONTHS_A_YEAR = 12;

/** The range that two texts name; undefined where they name none that can be shown. */
export function parseRange(from: string | null, to: string | null): MonthRange | undefined {
  if (from === null || to === null || !MONTH.test(from) || !MONTH.test(to)) return undefined;
  const length = lengthOf({ from, to });
  return length >= 1 && length <= MONTHS_MAX ? { from, to } : undefined;
}

/** The range of so many months that ends with this one. */
export function rangeEndingWith(to: string, months: number): MonthRange {
  return { from: monthAfter(to, 1 - months), to };
}

/** Number of months in a range. */
export function lengthOf({ from, to }: MonthRange): number {
  return numberOf(to) - numberOf(from) + 1;
}

/** The month so many months after one; before it where the number is negative. */
export function monthAfter(month: string, months: number): string {
  const number = numberOf(month) + months;
  const year = String(Math.floor(number / MONTHS_A_YEAR)).padStart(4, '0');
  return `${year}-${String((number % MONTHS_A_YEAR) + 1).padStart(2, '0')}`;
}

/** The UTC month of a moment. */
export function monthAt(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 'YYYY-MM'.length);
}

function numberOf(month: string): number {
  const [year, ofYear] = month.split('-').map(Number);
  return (year ?? 0) * MONTHS_A_YEAR + (ofYear ?? 1) - 1;
}
