import type { Clock } from '../../lib/clock';
import { type Leeway, leewayMs } from '../deadline/answer-times';
import type { StragglerRule } from '../run';

/** A wave as it is watched. */
export interface WatchedWave extends StragglerRule {
  /** Leeway of each call. */
  readonly leeways: readonly Leeway[];
  /** Time of the slowest call that has answered before this wave; 0 if none counts. */
  readonly slowestMs: number;
  /** After this the calls still open are given up. */
  readonly waveMs: number;
  /** True if the first answer is waited for even then. */
  readonly patient: boolean;
}

/** Reason for which calls are given up that could change nothing any longer. */
const SETTLED = 'most have given the same answer';
/** They have so long all the same: what a text still lacks then costs next to nothing. */
const SETTLED_GRACE_MS = 1_000;

/** Answers that are enough of so many: two thirds; of two one, or the slower would never be given up. */
export function usualQuorum(calls: number): number {
  return calls === 2 ? 1 : Math.ceil((2 * calls) / 3);
}

/** Gives up slow calls of a wave once a quorum has answered: after their leeway, or the caller's grace. */
export class Stragglers {
  /** Time of the slowest call that has answered, without what it waited for its turn. */
  slowestMs: number;
  readonly #clock: Clock;
  readonly #wave: WatchedWave;
  readonly #startedMs: number;
  readonly #given = new AbortController();
  readonly #open: Map<number, Leeway>;
  /** From when on each takes its time, where it had to wait for its turn. */
  readonly #turnsAtMs = new Map<number, number>();
  /** Calls that may answer or have. */
  #able: number;
  #answered = 0;
  #quorumAtMs: number | undefined;
  #settledAtMs: number | undefined;
  #cancel: () => void = () => undefined;

  constructor(clock: Clock, wave: WatchedWave) {
    this.#clock = clock;
    this.#wave = wave;
    this.#startedMs = clock.monotonicMs();
    this.#open = new Map(wave.leeways.entries());
    this.#able = wave.leeways.length;
    this.slowestMs = wave.slowestMs;
    this.#schedule();
  }

  /** Aborted when the calls still open are to be given up. */
  get signal(): AbortSignal {
    return this.#given.signal;
  }

  /** The call of this place waits for its turn, for which it is not given up, or does so no longer. */
  waits(call: number, isWaiting: boolean): void {
    this.#turnsAtMs.set(call, isWaiting ? Infinity : this.#elapsedMs());
    this.#schedule();
  }

  /** The call of this place in the wave is over; returns how many are not. */
  finished(call: number, answered: boolean): number {
    this.#open.delete(call);
    if (answered) {
      this.#answered += 1;
      this.slowestMs = Math.max(this.slowestMs, this.#elapsedMs() - this.#turnAtMs(call));
    } else this.#able -= 1;
    this.#schedule();
    return this.#open.size;
  }

  /** The calls still open can change nothing: they are given up in a moment. */
  settle(): void {
    this.#settledAtMs ??= this.#elapsedMs();
    this.#schedule();
  }

  /** Gives up on all that are still open, at once. */
  readonly cut = (): void => this.#given.abort(this.#settledAtMs === undefined ? undefined : SETTLED);

  stop(): void {
    this.#cancel();
  }

  #elapsedMs(): number {
    return this.#clock.monotonicMs() - this.#startedMs;
  }

  #turnAtMs(call: number): number {
    return this.#turnsAtMs.get(call) ?? 0;
  }

  #schedule(): void {
    // A call that has failed is none to wait for.
    const { quorum = usualQuorum(this.#able), patient, waveMs } = this.#wave;
    if (this.#answered >= Math.min(this.#able, quorum)) this.#quorumAtMs ??= this.#elapsedMs();
    this.#cancel();
    const waveEndsAtMs = patient && this.#answered === 0 ? Infinity : waveMs;
    const endsAtMs = Math.min(waveEndsAtMs, this.#cutAtMs(), (this.#settledAtMs ?? Infinity) + SETTLED_GRACE_MS);
    if (this.#open.size === 0 || endsAtMs === Infinity) return;
    this.#cancel = this.#clock.after(Math.max(0, endsAtMs - this.#elapsedMs()), this.cut);
  }

  #cutAtMs(): number {
    const { graceMs } = this.#wave;
    if (this.#quorumAtMs === undefined) return Infinity;
    if (graceMs !== undefined) return this.#quorumAtMs + graceMs;
    const ends = [...this.#open].map(([call, leeway]) => this.#turnAtMs(call) + leewayMs(leeway, this.slowestMs));
    return Math.max(...ends);
  }
}
