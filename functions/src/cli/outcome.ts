import { isRefusal, type Refusal } from '../errors';

/** What was asked for; throws with the words of a refusal. */
export function orThrow<T>(result: T | Refusal): T {
  if (isRefusal(result)) throw new Error(result.text);
  return result;
}
