import type { Container } from '../container';
import type { OptionName } from './option-table';
import type { Output } from './output';
import type { Options } from './parse-options';

/** Asks the operator, and resolves with what was typed. */
export type Ask = (question: string) => Promise<string>;

/** What a command works with; `ask` only where somebody sits before a terminal. */
export interface Operation {
  readonly container: Container;
  readonly options: Options;
  readonly ask?: Ask | undefined;
}

/** One command of the operator. */
export interface Command {
  readonly summary: string;
  /** Options without which it does nothing. */
  readonly needs: readonly OptionName[];
  readonly takes: readonly OptionName[];
  /** What may be typed behind `npm run admin -- `. */
  readonly examples: readonly string[];
  /** What its user should know beside that. */
  readonly notes?: readonly string[];
  run(operation: Operation): Promise<Output>;
}
