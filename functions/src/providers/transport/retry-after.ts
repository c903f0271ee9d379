/** The header reader of `Headers`; the SDKs' own header objects have it too. */
export interface HeaderReader {
  get(name: string): string | null;
}

/** A day's name and what may follow: the date parser makes a date of nearly anything, `-3` for one. */
const HTTP_DATE = /^[A-Z][a-z]{2,8},? [\w: -]{8,40}$/;

/**
 * How long a reply asks to wait: `retry-after-ms` (as OpenAI sends it), else `Retry-After` as seconds or as an HTTP
 * date. The date is counted from the reply's own `Date`, so that a skewed clock on either side does not matter.
 * Undefined when nothing usable is there; never negative.
 */
export function retryAfterSeconds(headers: HeaderReader): number | undefined {
  const milliseconds = secondsOf(headers.get('retry-after-ms'));
  if (milliseconds !== undefined) return milliseconds / 1_000;
  const retryAfter = headers.get('retry-after');
  return secondsOf(retryAfter) ?? secondsUntil(retryAfter, headers.get('date'));
}

function secondsOf(value: string | null): number | undefined {
  return value !== null && /^\s*\d{1,9}(?:\.\d{1,9})?\s*$/.test(value) ? Number(value) : undefined;
}

function secondsUntil(date: string | null, from: string | null): number | undefined {
  if (date === null || !HTTP_DATE.test(date)) return undefined;
  const waitMs = Date.parse(date) - (from === null ? Date.now() : Date.parse(from));
  return Number.isFinite(waitMs) ? Math.max(0, waitMs / 1_000) : undefined;
}
