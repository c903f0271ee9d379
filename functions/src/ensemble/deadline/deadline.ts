import type { Clock } from '../../lib/clock';

/** No run outlives this: 15 s below the platform's 540 s, for the settlement and the end of the stream. */
export const HARD_STOP_MS = 525_000;
/** Kept for the final answer while nothing is known of its author's pace. */
const ANSWER_RESERVE_MS = 120_000;
const ANSWER_RESERVE_MIN_MS = 60_000;
const ANSWER_RESERVE_MAX_MS = 150_000;
/** The most that is kept for an author who thinks first, also while its pace is unknown. */
const THINKING_RESERVE_MAX_MS = 240_000;
/** Kept for the arbiter's judgement before the answer, where there is one. */
const JUDGEMENT_RESERVE_MS = 45_000;
/** No wave gets less than this while it is there: fewer rounds rather than broken ones. */
const WAVE_MIN_MS = 30_000;
/** A wave whose answers the run cannot do without gets at least this: rounds are optional, an answer is not. */
const NEEDED_WAVE_MIN_MS = 120_000;
/** A round is started only if this many times the last round's duration is left. */
const ROUND_MARGIN = 1.2;

/** Work that a run has to fit in besides its final answer. */
export interface Schedule {
  /** Waves of calls before the arbiter's own, at most. */
  readonly waves: number;
  /** True if the arbiter judges before it writes. */
  readonly judges: boolean;
  /** Time kept for the final answer (`answerReserveMs`), by what is known of its author now. */
  readonly reserveMs: () => number;
}

/** Time that the author of an answer usually needs, between one minute and two and a half; four to think. */
export function answerReserveMs(p95Ms: number | undefined, thinks: boolean): number {
  const maxMs = thinks ? THINKING_RESERVE_MAX_MS : ANSWER_RESERVE_MAX_MS;
  const unknownMs = thinks ? THINKING_RESERVE_MAX_MS : ANSWER_RESERVE_MS;
  return Math.min(maxMs, Math.max(ANSWER_RESERVE_MIN_MS, p95Ms ?? unknownMs));
}

/** A wave that is about to start: `needed` where the run has nothing yet; the slowest of its models may think so long. */
interface PlannedWave {
  readonly needed: boolean;
  readonly patienceMs?: number;
}

/** The time budget of one run, counted from the request's start. */
export class Deadline {
  /** Milliseconds of the slowest call of a wave that has answered so far; 0 while none has. */
  slowestMs = 0;
  readonly #clock: Clock;
  readonly #endsAtMs: number;
  readonly #schedule: Schedule;
  #wavesLeft: number;

  /** Its end is fixed now: clocks that are set later change nothing. */
  constructor(clock: Clock, startedAtMs: number, schedule: Schedule) {
    this.#clock = clock;
    this.#endsAtMs = clock.monotonicMs() + HARD_STOP_MS - Math.max(0, clock.nowMs() - startedAtMs);
    this.#schedule = schedule;
    this.#wavesLeft = schedule.waves;
  }

  /** Milliseconds until the hard stop, never negative. */
  remainingMs(): number {
    return Math.max(0, this.#endsAtMs - this.#clock.monotonicMs());
  }

  /** The budget of the wave that starts now: an equal share of what is spare, but no less than its minimum. */
  nextWaveMs({ needed, patienceMs = 0 }: PlannedWave): number {
    const spareMs = this.spareMs();
    const shareMs = spareMs / Math.max(1, this.#wavesLeft);
    this.#wavesLeft -= 1;
    return Math.min(spareMs, Math.max(shareMs, patienceMs, needed ? NEEDED_WAVE_MIN_MS : WAVE_MIN_MS));
  }

  /** True if another round fits that may take as long as the last one did, with a margin. */
  fitsRound(lastRoundMs: number): boolean {
    const spareMs = this.spareMs();
    return spareMs > 0 && spareMs >= lastRoundMs * ROUND_MARGIN;
  }

  /** The budget of the arbiter's judgement: what is left above the answer's reserve. */
  judgementMs(): number {
    return Math.max(0, this.remainingMs() - this.#schedule.reserveMs());
  }

  /** Milliseconds that the reserves leave. */
  spareMs(): number {
    const { reserveMs, judges } = this.#schedule;
    return Math.max(0, this.remainingMs() - reserveMs() - (judges ? JUDGEMENT_RESERVE_MS : 0));
  }
}
