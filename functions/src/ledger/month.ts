/** The UTC month of a moment, `YYYY-MM`. */
export function monthOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 7);
}

/** Start of the UTC month `months` after the one `timeMs` is in (0 = that month itself), in milliseconds. */
export function monthStartMs(timeMs: number, months = 0): number {
  const date = new Date(timeMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
}

/** Every UTC month touched by the closed range, oldest first. */
export function monthsBetween(startMs: number, endMs: number): string[] {
  const months: string[] = [];
  for (let at = monthStartMs(startMs); at <= endMs; at = monthStartMs(at, 1)) months.push(monthOf(at));
  return months;
}
