import { type Refusal, refuse } from '../errors';
import type { Clock } from '../lib/clock';
import { retryAfterSeconds } from './rate-limit';

/**
 * Runs of one user that may be under way at a time in one process: all that a minute admits may come at once, and 30 a
 * minute of 525 s each would be 262. What they hold is bounded by user, not by run (`ByteBudget`, `FairSlots`).
 */
const OPEN_RUNS_MAX = 30;
const RETRY_AFTER_MAX_MS = 60_000;
/** A place that nobody gave back is free again so long after its run's time limit. */
const GRACE_MS = 60_000;

/** One user's run, from its admission until it is settled. */
export interface OpenRun {
  /** When its time limit stops it, milliseconds since the epoch. */
  readonly endsByMs: number;
  /** Gives its place back. */
  end(): void;
}

/** The runs under way in this process, by user; as many entries as there are runs. */
export class OpenRuns {
  readonly #byUser = new Map<string, Set<OpenRun>>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes a place for a run; a 429 where its user has none left. */
  begin(userId: string, endsByMs: number): OpenRun | Refusal {
    const nowMs = this.#clock.nowMs();
    const open = this.#byUser.get(userId) ?? new Set();
    for (const run of open) if (run.endsByMs + GRACE_MS < nowMs) open.delete(run);
    if (open.size >= OPEN_RUNS_MAX) return tooMany(Math.min(...[...open].map((run) => run.endsByMs)) - nowMs);
    const run = { endsByMs, end: () => this.#end(userId, run) };
    this.#byUser.set(userId, open.add(run));
    return run;
  }

  #end(userId: string, run: OpenRun): void {
    const open = this.#byUser.get(userId);
    open?.delete(run);
    if (open?.size === 0) this.#byUser.delete(userId);
  }
}

/** Most runs end long before their time limit: when is not known, so a longer wait than a minute is never told. */
function tooMany(waitMs: number): Refusal {
  const seconds = retryAfterSeconds(waitMs, RETRY_AFTER_MAX_MS);
  return refuse('rate_limited', `Too many runs under way: at most ${OPEN_RUNS_MAX} at a time`, {
    'retry-after': String(seconds),
  });
}
