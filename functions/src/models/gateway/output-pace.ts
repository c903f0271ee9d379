import type { Clock } from '../../lib/clock';
import { Turns } from '../../lib/turns';

/** A call waits each time it has written so much more; almost every answer is shorter. */
const STEP_CHARACTERS = 64 * 1024;
/** All calls of a process that wait come to 8 Mi characters a second, of which no model writes a thousandth. */
const CHARACTERS_A_MS = (8 * 1024 * 1024) / 1_000;

/** Whether to go on reading a call that has written so many characters: at once, or when the promise resolves. */
export type Paced = (characters: number) => Promise<void> | undefined;

/**
 * How fast the models of a process are read. One that writes as fast as its connection allows, by mistake or to harm,
 * would else take all of the event loop. What is too fast stays unread in its connection; nothing is lost.
 */
export class OutputPace {
  readonly #turns: Turns;

  constructor(clock: Clock) {
    this.#turns = new Turns(clock, (_, characters) => characters / CHARACTERS_A_MS);
  }

  /** A call of `owner`'s begins; owners that are too fast together get equal shares. */
  begin(owner: string): Paced {
    let waitedFor = 0;
    return (characters) => {
      const size = characters - waitedFor;
      if (size < STEP_CHARACTERS) return undefined;
      waitedFor = characters;
      return this.#turns.run({ owner, size }, () => undefined);
    };
  }
}
