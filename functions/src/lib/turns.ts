import type { Clock } from './clock';
import { FairSlots } from './fair-slots';

export interface Piece {
  readonly owner: string;
  readonly size: number;
}

/** Does a heavy piece of work of one owner when its turn comes; its size is in characters or bytes. */
export type InTurn = <T>(size: number, work: () => T) => Promise<T>;

/** Heavy work of many owners, piece by piece in turn, with a rest after each in which everything else runs. */
export class Turns {
  readonly #slots = new FairSlots(1);
  readonly #clock: Clock;
  readonly #restMs: (tookMs: number, size: number) => number;

  /** `restMs` gives the rest after a piece: by the time it took, or by its size. */
  constructor(clock: Clock, restMs: (tookMs: number, size: number) => number) {
    this.#clock = clock;
    this.#restMs = restMs;
  }

  /** Does a piece when its turn comes. Rejects with what `work` throws. */
  async run<T>({ owner, size }: Piece, work: () => T): Promise<T> {
    const release = this.#slots.tryTake(owner) ?? (await this.#slots.wait(owner));
    const startedMs = this.#clock.nowMs();
    try {
      return work();
    } finally {
      const restMs = this.#restMs(this.#clock.nowMs() - startedMs, size);
      if (release && restMs > 0) this.#clock.after(restMs, release);
      else release?.();
    }
  }
}
