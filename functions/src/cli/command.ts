import { InvalidArgumentError } from 'commander';
import { isRefusal, type Refusal } from '../errors';
import { parseUsd } from '../lib/usd';
import type { Services } from '../services';
import { textTable } from './output';

/** Asks the operator, and resolves with what was typed. */
export type Ask = (question: string) => Promise<string>;

/** Output of a command: `data` with `--json`, else `text`. */
export interface Output {
  readonly data: unknown;
  readonly text: string;
}

/** The work of a command; `ask` only where somebody sits before a terminal. */
export type Work<O> = (services: Services, options: O, ask?: Ask) => Promise<Output>;

/** Makes an action for commander of the work of a command. */
export type Perform = <O>(work: Work<O>) => (options: O) => Promise<void>;

/** Options that do not fit together; the message names them. */
export class UsageError extends Error {}

/** Returns what was asked for; throws with the words of a refusal. */
export function orThrow<T>(result: T | Refusal): T {
  if (isRefusal(result)) throw new Error(result.text);
  return result;
}

/** The first `max` rows; one that was read beyond them tells that there are more. */
export function firstRows(rows: readonly object[], max: number, words: { none: string; more: string }): Output {
  const [data, has_more] = [rows.slice(0, max), rows.length > max];
  const table = data.length > 0 ? textTable(data) : words.none;
  return { data: { data, has_more }, text: has_more ? `${table}\n${words.more}` : table };
}

export function text(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return value.trim();
}

export function listOf(value: string): string[] {
  const items = value.split(',').map((item) => item.trim());
  if (items.includes('')) throw new InvalidArgumentError('It must be a list separated by commas.');
  return items;
}

export function wholeNumber(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('It must be a whole number above 0.');
  return Number(value);
}

/** US dollars, in nano-USD. */
export function dollars(value: string): number {
  const nanoUsd = parseUsd(value);
  if (nanoUsd === undefined) throw new InvalidArgumentError('It must be an amount in US dollars, such as 5 or 0.25.');
  return nanoUsd;
}

/** Milliseconds since the epoch, as seen from now. */
export type Moment = (nowMs: number) => number;

const HOUR_MS = 3_600_000;

/** A time from now (`12h`, `90d`), or a date of ISO 8601. */
export function fromNow(value: string, sign = 1): Moment {
  const [, count, unit] = /^(\d{1,5})([hd])$/.exec(value) ?? [];
  if (count !== undefined) return (nowMs) => nowMs + sign * Number(count) * (unit === 'd' ? 24 : 1) * HOUR_MS;
  const timeMs = /^\d{4}-\d\d/.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(timeMs)) return () => timeMs;
  throw new InvalidArgumentError('It must be a time such as 12h or 90d, or a date such as 2027-01-31.');
}

/** A time ago, or a date. */
export const ago = (value: string): Moment => fromNow(value, -1);

export const USER = ['--user <U>', 'the id of a user', text] as const;
