import { isRefusal, type Refusal, refuse } from '../../errors';
import { monthStartMs } from '../../ledger/month';

const MONTHS_MAX = 24;
/** No date worth parsing is longer. */
const DATE_CHARACTERS_MAX = 64;
const DAY_MS = 86_400_000;

/** A closed range of time, milliseconds. */
export interface Range {
  readonly startMs: number;
  readonly endMs: number;
}

/** The range asked for (`docs/api.md`, Usage); defaults: the start of this UTC month, now. */
export function parseRange(query: URLSearchParams, nowMs: number): Range | Refusal {
  const misspelt = misspeltIn(query);
  if (misspelt) return misspelt;
  const startMs = parseDate(query, 'start_date', monthStartMs(nowMs));
  if (isRefusal(startMs)) return startMs;
  const endMs = parseDate(query, 'end_date', nowMs);
  if (isRefusal(endMs)) return endMs;
  if (startMs > endMs) return refuse('invalid_request', 'Invalid date range');
  const limit = new Date(startMs);
  limit.setUTCMonth(limit.getUTCMonth() + MONTHS_MAX);
  if (endMs > limit.getTime()) return refuse('invalid_request', `Date range must not exceed ${MONTHS_MAX} months`);
  return { startMs, endMs };
}

/** Names that other APIs, and people, give the parameters. */
const OTHER_NAME = /^(start|end)[_-]?(?:at|date|day|ms|time|timestamp)?$/i;

/** A report on another range than the one meant is worse than none. Other unknown parameters are ignored. */
function misspeltIn(query: URLSearchParams): Refusal | undefined {
  for (const name of query.keys()) {
    const [, meant] = OTHER_NAME.exec(name) ?? [];
    const known = `${meant?.toLowerCase()}_date`;
    if (meant !== undefined && name !== known) {
      return refuse('invalid_request', `Invalid parameter ${name}: the parameter is ${known}`);
    }
  }
  return undefined;
}

/** Unix seconds when all digits, else anything a JavaScript `Date` can parse. */
function parseDate(query: URLSearchParams, name: string, fallbackMs: number): number | Refusal {
  const text = query.get(name)?.slice(0, DATE_CHARACTERS_MAX + 1);
  if (text === undefined) return fallbackMs;
  const timeMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  const flaw = flawOf(text, timeMs);
  return flaw === undefined ? timeMs : refuse('invalid_request', `Invalid date format: ${name} ${flaw}`);
}

/** Seconds of this size lie 3,000 years ahead. */
const MILLISECONDS = /^\d{12,14}$/;

/** Flaw of a date, in words behind its parameter's name. A `+` that was not escaped arrives as a blank. */
function flawOf(text: string, timeMs: number): string | undefined {
  if (MILLISECONDS.test(text)) return 'is in milliseconds: Unix seconds are expected';
  const isDate = text.length <= DATE_CHARACTERS_MAX && !Number.isNaN(new Date(timeMs).getTime());
  if (!isDate) return 'must be Unix seconds or a date such as 2026-01-31 or 2026-01-31T12:00:00%2B01:00';
  return isNoDay(text, timeMs) ? 'is a day that its month does not have' : undefined;
}

/** JavaScript reads 30 February as 2 March, in every notation. */
function isNoDay(text: string, timeMs: number): boolean {
  return [...text.matchAll(/(?<!\d)(?:29|30|31)(?!\d)/g)].some(({ 0: day, index }) => {
    const inMonth = new Date(Date.parse(`${text.slice(0, index)}15${text.slice(index + day.length)}`));
    const lastDay = new Date(Date.UTC(inMonth.getUTCFullYear(), inMonth.getUTCMonth() + 1, 0)).getUTCDate();
    const isDay = Math.round((timeMs - inMonth.getTime()) / DAY_MS) === Number(day) - 15;
    return isDay && Number(day) > lastDay;
  });
}
