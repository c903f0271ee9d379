import { isRefusal, type Refusal } from '../errors';

/** What was asked for; throws with the words of a refusal. */
export function orThrow<T>(result: T | Refusal): T {
  if (isRefusal(result)) throw new Error(result.text);
  return result;
}

/** A moment as ISO 8601 in UTC; null for none. */
export function isoTime(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}
