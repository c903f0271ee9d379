import type { ByteBudget, ByteShare } from '../../lib/byte-budget';
import type { OutputPace, Paced } from './output-pace';

/** Memory is asked for in steps: most pieces of text need none. */
const STEP_BYTES = 16 * 1024;
/** Text beyond Latin takes so much a character; less where it does not is not relied on. */
const BYTES_A_CHARACTER = 2;

/** What bounds the output of all models of a process. */
export interface OutputBounds {
  /** The memory for what they write. */
  readonly memory: ByteBudget;
  /** How fast they are read. */
  readonly pace: OutputPace;
}

/** The text of one running call, as the process knows it. */
export interface CallOutput {
  /** There are so many characters now. May cut this call, or a larger one of the run. */
  grow(characters: number): void;
  /** Whether to read on after so many characters: at once, or when the promise resolves. */
  readonly paced: Paced;
  /** The call is over: its text is the run's from now on, or nobody's. */
  end(kept: boolean): void;
}

interface Running extends CallOutput {
  /** What it asks for, which is what it holds unless there was no room. */
  bytes(): number;
  drop(): void;
}

/**
 * What the models of one run have written and the run still has. All runs share a budget, in which nobody can hold more
 * than stays free for others: beyond that the largest running call of the same run is cut, never another user's. What a
 * call that failed had written is let go at once; the rest when the run is over.
 */
export class RunOutput {
  readonly #running = new Set<Running>();
  readonly #kept: ByteShare[] = [];
  readonly #bounds: OutputBounds;
  readonly #userId: string;
  readonly #isTraced: boolean;

  /** Where a trace is kept it has all texts once more, those of calls that failed as well. */
  constructor(bounds: OutputBounds, userId: string, { isTraced = false } = {}) {
    this.#bounds = bounds;
    this.#userId = userId;
    this.#isTraced = isTraced;
  }

  /** A call begins. `cut` is told, once, that there is no room for what it says. */
  begin(cut: () => void): CallOutput {
    const share = this.#bounds.memory.shareOf(this.#userId);
    const bytesEach = this.#isTraced ? 2 * BYTES_A_CHARACTER : BYTES_A_CHARACTER;
    let bytes = 0;
    const call: Running = {
      bytes: () => bytes,
      grow: (characters) => {
        if (characters * bytesEach <= bytes || !this.#running.has(call)) return;
        bytes = Math.ceil((characters * bytesEach) / STEP_BYTES) * STEP_BYTES;
        while (!share.hold(bytes) && this.#cutLargest() !== call);
      },
      paced: this.#bounds.pace.begin(this.#userId),
      drop: () => {
        call.end(false);
        cut();
      },
      end: (kept) => {
        if (!this.#running.delete(call)) return;
        if (kept || this.#isTraced) this.#kept.push(share);
        else share.release();
      },
    };
    this.#running.add(call);
    return call;
  }

  /** The run is over, and its texts with it. */
  release(): void {
    for (const call of this.#running) call.end(false);
    for (const share of this.#kept.splice(0)) share.release();
  }

  #cutLargest(): Running | undefined {
    const largest = [...this.#running].reduce((most, call) => (call.bytes() > most.bytes() ? call : most));
    largest.drop();
    return largest;
  }
}
