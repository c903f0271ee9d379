import { InvalidArgumentError } from 'commander';
import { isRefusal, type Refusal } from '../errors';
import { parseUsd } from '../lib/usd';
import type { Services } from '../services';

/** Asks the operator, and resolves with what was typed. */
export type Ask = (question: string) => Promise<string>;

/** Input of a command; `ask` only where somebody sits before a terminal. */
export interface Operation<O> {
  readonly container: Services;
  readonly options: O;
  readonly ask?: Ask | undefined;
}

/** Output of a command: `data` with `--json`, else `text`. */
export interface Output {
  readonly data: unknown;
  readonly text: string;
}

export type Work<O> = (operation: Operation<O>) => Promise<Output>;

/** Makes an action for commander of the work of a command. */
export type Perform = <O>(work: Work<O>) => (options: O) => Promise<void>;

/** Returns what was asked for; throws with the words of a refusal. */
export function orThrow<T>(result: T | Refusal): T {
  if (isRefusal(result)) throw new Error(result.text);
  return result;
}

/** Options that do not fit together; the message names them. */
export class UsageError extends Error {}

const HOUR_MS = 3_600_000;

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

/** A time from now (`12h`, `90d`), or a date of ISO 8601. */
export const fromNow = momentParser(1);
/** A time ago, or a date. */
export const ago = momentParser(-1);

function momentParser(direction: 1 | -1): (value: string) => Moment {
  return (value) => {
    const [, count, unit] = /^(\d{1,5})([hd])$/.exec(value) ?? [];
    if (count !== undefined) return (nowMs) => nowMs + direction * Number(count) * (unit === 'd' ? 24 : 1) * HOUR_MS;
    const timeMs = /^\d{4}-\d\d/.test(value) ? Date.parse(value) : Number.NaN;
    if (!Number.isNaN(timeMs)) return () => timeMs;
    throw new InvalidArgumentError('It must be a time such as 12h or 90d, or a date such as 2027-01-31.');
  };
}

export const USER = ['--user <U>', 'the id of a user', text] as const;
