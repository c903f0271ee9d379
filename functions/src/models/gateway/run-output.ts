import type { ByteBudget, ByteShare } from '../../lib/byte-budget';
import type { Clock } from '../../lib/clock';
import { Turns } from '../../lib/turns';

/** Memory is asked for in steps: most pieces of text need none. */
const STEP_BYTES = 16 * 1024;
/** Text beyond Latin takes so much a character; less where it does not is not relied on. */
const BYTES_A_CHARACTER = 2;
/** A call waits each time it has written so much more; almost every answer is shorter. */
const STEP_CHARACTERS = 64 * 1024;
/** All calls of a process that wait come to 8 Mi characters a second, of which no model writes a thousandth. */
const CHARACTERS_A_MS = (8 * 1024 * 1024) / 1_000;

/** Bounds of the output of all models of a process. */
export interface OutputBounds {
  /** The memory for what they write. */
  readonly memory: ByteBudget;
  /** Turns in which they are read, sized in characters (`outputTurns`). */
  readonly pace: Turns;
}

/** Turns in which models are read beyond the length of an answer: what comes too fast stays in its connection. */
export function outputTurns(clock: Clock): Turns {
  return new Turns(clock, (_, characters) => characters / CHARACTERS_A_MS);
}

/** Text of one running call, counted in the memory of its process. */
export interface CallOutput {
  /** There are so many characters now. May cut this call, or a larger one of the run. */
  grow(characters: number): void;
  /** Reads on after so many characters: at once, or when the promise resolves. */
  paced(characters: number): Promise<void> | undefined;
  /** The call is over: its text is kept until the run is over, or let go. */
  end(isKept: boolean): void;
}

interface Running extends CallOutput {
  /** Bytes asked for, which it holds unless there was no room. */
  bytes(): number;
  drop(): void;
}

/** Text of the models of one run, in a budget of all: beyond it the largest running call of the same run is cut. */
export class RunOutput {
  readonly #running = new Set<Running>();
  readonly #kept: ByteShare[] = [];
  readonly #bounds: OutputBounds;
  readonly #userId: string;
  readonly #isTraced: boolean;

  /** Counts failed texts as well where a trace is kept, which has all texts once more. */
  constructor(bounds: OutputBounds, userId: string, { isTraced = false } = {}) {
    this.#bounds = bounds;
    this.#userId = userId;
    this.#isTraced = isTraced;
  }

  /** A call begins. `cut` is called, once, when there is no room for its text. */
  begin(cut: () => void): CallOutput {
    const { memory, pace } = this.#bounds;
    const owner = this.#userId;
    const share = memory.shareOf(owner);
    const bytesEach = this.#isTraced ? 2 * BYTES_A_CHARACTER : BYTES_A_CHARACTER;
    let bytes = 0;
    let waitedFor = 0;
    const call: Running = {
      bytes: () => bytes,
      grow: (characters) => {
        if (characters * bytesEach <= bytes || !this.#running.has(call)) return;
        bytes = Math.ceil((characters * bytesEach) / STEP_BYTES) * STEP_BYTES;
        while (!share.hold(bytes) && this.#cutLargest() !== call);
      },
      paced: (characters) => {
        const size = characters - waitedFor;
        if (size < STEP_CHARACTERS) return undefined;
        waitedFor = characters;
        return pace.run({ owner, size }, () => undefined);
      },
      drop: () => {
        call.end(false);
        cut();
      },
      end: (isKept) => {
        if (!this.#running.delete(call)) return;
        if (isKept || this.#isTraced) this.#kept.push(share);
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
