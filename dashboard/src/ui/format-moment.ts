const UNITS = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;
/** Expiries in years are told as days. */
const LENGTH_UNITS = UNITS.filter(([unit]) => unit !== 'year' && unit !== 'month');
const NOW_WITHIN_MS = 60_000;

/** “2 minutes ago”, “in 23 hours”, in the language of the reader; “just now” within a minute. */
export function relativeTo(nowMs: number, atMs: number, locale?: string): string {
  const distanceMs = atMs - nowMs;
  if (Math.abs(distanceMs) < NOW_WITHIN_MS) return distanceMs > 0 ? 'in less than a minute' : 'just now';
  const [unit, unitMs] = UNITS.find(([, ms]) => Math.abs(distanceMs) >= ms) ??
    UNITS[UNITS.length - 1] ?? ['minute', 60_000];
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Math.trunc(distanceMs / unitMs), unit);
}

/** A length of time in days, hours or minutes, such as “23 hours”, “1 day”; at least a minute. */
export function lengthWords(lengthMs: number, locale?: string): string {
  const [unit, unitMs] = LENGTH_UNITS.find(([, ms]) => lengthMs >= ms) ?? ['minute', 60_000];
  const length = Math.max(1, Math.floor(lengthMs / unitMs));
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(length);
}

/** A day as the reader writes it. */
export function dayOf(atMs: number, locale?: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(atMs);
}

/** A day of UTC, by which months begin, as the reader writes it. */
export function utcDayOf(atMs: number, locale?: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(atMs);
}

/** A moment to the second, as the reader writes it. */
export function momentOf(atMs: number, locale?: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(atMs);
}

/** A moment with its zone, for who wants to know exactly. */
export function exactMoment(atMs: number, locale?: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long' }).format(atMs);
}
