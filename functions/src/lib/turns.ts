import type { Clock } from './clock';

/** A piece of work: whose it is, and how large beside others. */
export interface Piece {
  readonly owner: string;
  readonly size: number;
}

/** Does a heavy piece of work of one owner when its turn comes; its size is in characters or bytes. */
export type InTurn = <T>(size: number, work: () => T) => Promise<T>;

interface Waiting extends Piece {
  /** How much is done before it ends when all owners get equal shares. */
  readonly endsAt: number;
  readonly begin: () => void;
}

/**
 * Work of many owners that one process does piece by piece, with a rest after each in which everything else runs. A piece
 * that finds nothing under way is done at once. The others wait, and all owners get equal shares: who comes with a small
 * piece does not wait for all that others have brought, and who brings many waits for its own.
 */
export class Turns {
  readonly #clock: Clock;
  readonly #restMs: (tookMs: number, size: number) => number;
  readonly #lastEndsAt = new Map<string, number>();
  #waiting: Waiting[] = [];
  /** Where the piece ends that was begun last. */
  #reached = 0;
  #isTaken = false;

  /** `restMs` says how long the rest after a piece is to be: by how long it took, or by its size. */
  constructor(clock: Clock, restMs: (tookMs: number, size: number) => number) {
    this.#clock = clock;
    this.#restMs = restMs;
  }

  /** Does a piece when its turn comes. Rejects with what `work` throws. */
  async run<T>(piece: Piece, work: () => T): Promise<T> {
    if (this.#isTaken) await this.#turnOf(piece);
    this.#isTaken = true;
    const startedMs = this.#clock.nowMs();
    try {
      return work();
    } finally {
      this.#rest(this.#restMs(this.#clock.nowMs() - startedMs, piece.size));
    }
  }

  #turnOf({ owner, size }: Piece): Promise<void> {
    return new Promise((begin) => {
      const endsAt = Math.max(this.#reached, this.#lastEndsAt.get(owner) ?? 0) + size;
      this.#lastEndsAt.set(owner, endsAt);
      this.#waiting.push({ owner, size, endsAt, begin });
    });
  }

  #rest(ms: number): void {
    if (ms > 0) this.#clock.after(ms, () => this.#next());
    else this.#next();
  }

  #next(): void {
    const [first, ...others] = this.#waiting;
    if (!first) {
      this.#isTaken = false;
      return;
    }
    const next = others.reduce((least, each) => (each.endsAt < least.endsAt ? each : least), first);
    this.#waiting = this.#waiting.filter((each) => each !== next);
    this.#reached = next.endsAt;
    if (this.#lastEndsAt.get(next.owner) === next.endsAt) this.#lastEndsAt.delete(next.owner);
    next.begin();
  }
}
