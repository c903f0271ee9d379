import { isRefusal, type Refusal } from '../errors';
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

/** The work of a command. */
export type Work<O> = (operation: Operation<O>) => Promise<Output>;

/** Makes an action for commander of the work of a command. */
export type Perform = <O>(work: Work<O>) => (options: O) => Promise<void>;

/** Returns what was asked for; throws with the words of a refusal. */
export function orThrow<T>(result: T | Refusal): T {
  if (isRefusal(result)) throw new Error(result.text);
  return result;
}
