import { parseUsd } from '../lib/usd';

/** The command line cannot be understood; the message says how it should read. */
export class UsageError extends Error {}

/** The options given, by name. */
export type Options = Readonly<Record<string, string | undefined>>;

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** The value of an option that must be there. */
export function required(options: Options, name: string): string {
  const value = options[name]?.trim();
  if (!value) throw new UsageError(`--${name} is required`);
  return value;
}

/** What an option's value stands for in a table; undefined when it is not given. Names of `Object` are no rows. */
export function chosen<T>(options: Options, name: string, table: ReadonlyMap<string, T>): T | undefined {
  const value = options[name];
  if (value === undefined) return undefined;
  const row = table.get(value);
  if (row === undefined) throw new UsageError(`--${name} must be one of ${[...table.keys()].join(', ')}`);
  return row;
}

/** Values separated by commas. */
export function listed(options: Options, name: string): string[] | undefined {
  const items = options[name]?.split(',').map((item) => item.trim());
  if (items?.includes('')) throw new UsageError(`--${name} must be a list separated by commas`);
  return items;
}

/** A whole number above 0. */
export function wholeNumber(options: Options, name: string): number | undefined {
  const value = options[name];
  if (value !== undefined && !/^[1-9]\d{0,8}$/.test(value))
    throw new UsageError(`--${name} must be a whole number above 0`);
  return value === undefined ? undefined : Number(value);
}

/** US dollars, in nano-USD. */
export function dollars(options: Options, name: string): number | undefined {
  const value = options[name];
  const nanoUsd = value === undefined ? undefined : parseUsd(value);
  if (value !== undefined && nanoUsd === undefined) {
    throw new UsageError(`--${name} must be an amount in US dollars, such as 5 or 0.25`);
  }
  return nanoUsd;
}

/** A moment given as a time from now (`12h`, `90d`) or as a date of ISO 8601; milliseconds since the epoch. */
export function futureTime(options: Options, name: string, nowMs: number): number | undefined {
  return timeOf(options, name, (awayMs) => nowMs + awayMs);
}

/** The same of a time ago. */
export function pastTime(options: Options, name: string, nowMs: number): number | undefined {
  return timeOf(options, name, (awayMs) => nowMs - awayMs);
}

function timeOf(options: Options, name: string, away: (awayMs: number) => number): number | undefined {
  const value = options[name];
  if (value === undefined) return undefined;
  const [, count, unit = ''] = /^(\d{1,5})([hd])$/.exec(value) ?? [];
  const isDate = count === undefined && /^\d{4}-\d\d/.test(value);
  const timeMs = isDate ? Date.parse(value) : away(Number(count) * (UNIT_MS.get(unit) ?? Number.NaN));
  if (Number.isNaN(timeMs))
    throw new UsageError(`--${name} must be a time such as 12h or 90d, or a date such as 2027-01-31`);
  return timeMs;
}
