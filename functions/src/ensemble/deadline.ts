import type { Clock } from '../lib/clock';

/** No run outlives this: 15 s below the platform's 540 s, for the books and the trailer. */
export const HARD_STOP_MS = 525_000;
/** Kept for the final answer whatever happens before it. */
export const ANSWER_RESERVE_MS = 120_000;
/** Kept for the analysis call, where there is one. */
export const ANALYSIS_RESERVE_MS = 45_000;
/** A round is started only if this many times the last round's duration is left. */
const ROUND_MARGIN = 1.2;

/** The time budget of one run, counted from the request's start. */
export class Deadline {
  readonly #clock: Clock;
  readonly #endsAtMs: number;
  readonly #reserveMs: number;

  /** `reserveMs`: what the steps after the waves need. */
  constructor(clock: Clock, startedAtMs: number, reserveMs: number) {
    this.#clock = clock;
    this.#endsAtMs = startedAtMs + HARD_STOP_MS;
    this.#reserveMs = reserveMs;
  }

  /** Milliseconds until the hard stop, never negative. */
  remainingMs(): number {
    return Math.max(0, this.#endsAtMs - this.#clock.nowMs());
  }

  /** The budget of the next of `wavesLeft` waves: an equal share of what the reserves leave. */
  waveBudgetMs(wavesLeft: number): number {
    return Math.max(0, this.remainingMs() - this.#reserveMs) / Math.max(1, wavesLeft);
  }

  /** Whether another round fits that may take as long as the last one did, with a margin. */
  fitsRound(lastRoundMs: number): boolean {
    return this.remainingMs() - this.#reserveMs >= lastRoundMs * ROUND_MARGIN;
  }

  /** The budget of the analysis: what is left above the answer's reserve. */
  analysisBudgetMs(): number {
    return Math.max(0, this.remainingMs() - ANSWER_RESERVE_MS);
  }
}
