import type { Clock } from '../../lib/clock';

/** Watches one wave of calls and gives up on those that lag far behind the rest. */
export interface StragglerWatch {
  /** Aborted when the calls still open are to be given up. */
  readonly signal: AbortSignal;
  /** The call of this place waits for its turn, for which it is not given up, or does so no longer. */
  waits(call: number, isWaiting: boolean): void;
  /** The call of this place in the wave is over. */
  finished(call: number, answered: boolean): void;
  /** Gives up on all that are still open, at once. */
  cut(): void;
  stop(): void;
}

/** Caller's rule for slow participants; what is left out is decided here. */
export interface StragglerRule {
  /** Answers of a wave that are needed before the others are given up; of a smaller wave all. */
  readonly quorum?: number | undefined;
  /** Milliseconds that the others then have. */
  readonly graceMs?: number | undefined;
}

/** A wave as it is watched. */
export interface WatchedWave extends StragglerRule {
  /** For each call how long it may go on whatever the others take (`lagMs` of its model). */
  readonly lagMs: readonly number[];
  /** After this the calls still open are given up. */
  readonly waveMs: number;
  /** True if the first answer is waited for even then. */
  readonly patient: boolean;
}

/**
 * Once a quorum of a wave has answered, the slowest participant must not hold up everybody: the rest has until twice the
 * median of those answers, and as long as any of the models still open may take by itself; or, where the caller has set
 * a grace, exactly that.
 */
export function watchStragglers(clock: Clock, { lagMs, waveMs, patient, ...rule }: WatchedWave): StragglerWatch {
  const controller = new AbortController();
  const startedMs = clock.nowMs();
  const open = new Map(lagMs.entries());
  const quorum = Math.min(open.size, rule.quorum ?? usualQuorum(open.size));
  const durations: number[] = [];
  let overdue = false;
  const cut = (): void => controller.abort();
  let cancel: () => void = clock.after(waveMs, () => {
    overdue = true;
    if (!patient || durations.length > 0) cut();
  });
  /** From when on each takes its time, where it had to wait. */
  const turnsAtMs = new Map<number, number>();
  const cutAtMs = (): number => {
    if (rule.graceMs !== undefined) return (durations[quorum - 1] ?? 0) + rule.graceMs;
    const usualMs = 2 * median(durations);
    return Math.max(...[...open].map(([call, ms]) => (turnsAtMs.get(call) ?? 0) + Math.max(usualMs, ms)));
  };
  const schedule = (): void => {
    if (durations.length < quorum) return;
    cancel();
    if (open.size === 0) return;
    const leftMs = startedMs + Math.min(waveMs, cutAtMs()) - clock.nowMs();
    cancel = clock.after(Math.max(0, leftMs), cut);
  };
  return {
    signal: controller.signal,
    waits: (call, isWaiting) => {
      turnsAtMs.set(call, isWaiting ? Number.POSITIVE_INFINITY : clock.nowMs() - startedMs);
      schedule();
    },
    finished: (call, answered) => {
      open.delete(call);
      if (answered) durations.push(clock.nowMs() - startedMs);
      if (overdue && answered) cut();
      schedule();
    },
    cut,
    stop: () => cancel(),
  };
}

/** Two thirds; of two one, or the slower would never be given up. */
function usualQuorum(calls: number): number {
  return calls === 2 ? 1 : Math.ceil((2 * calls) / 3);
}

/** Durations arrive in ascending order, so the middle one is the median. */
function median(ascending: readonly number[]): number {
  return ascending[Math.floor(ascending.length / 2)] ?? 0;
}
