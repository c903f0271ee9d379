import type { Clock } from '../../lib/clock';

/** No wave is cut before this: a fast wave gains nothing from it. */
const WAVE_MIN_MS = 20_000;

/** Watches one wave of calls and gives up on those that lag far behind the rest. */
export interface StragglerWatch {
  /** Aborted when the calls still open are to be given up. */
  readonly signal: AbortSignal;
  /** The call of this place in the wave is over. */
  finished(call: number, answered: boolean): void;
  /** Gives up on all that are still open, at once. */
  cut(): void;
  stop(): void;
}

/** A wave as it is watched. */
export interface WatchedWave {
  /** For each call how long its model may think: it is not given up before that. 0: it writes at once. */
  readonly patienceMs: readonly number[];
  /** After this the calls still open are given up. */
  readonly waveMs: number;
  /** Whether the first answer is waited for even then. */
  readonly patient: boolean;
}

/**
 * Once two thirds of a wave have answered, the rest has until twice the median of those answers, at least 20 s from the
 * start: the slowest participant must not hold up everybody. What quick models take says nothing of one that thinks: while
 * one is open, the wave has as long as that may think.
 */
export function watchStragglers(clock: Clock, { patienceMs, waveMs, patient }: WatchedWave): StragglerWatch {
  const controller = new AbortController();
  const startedMs = clock.nowMs();
  const open = new Map(patienceMs.entries());
  const quorum = Math.ceil((2 * open.size) / 3);
  const durations: number[] = [];
  let overdue = false;
  const cut = (): void => controller.abort();
  let cancel: () => void = clock.after(waveMs, () => {
    overdue = true;
    if (!patient || durations.length > 0) cut();
  });
  return {
    signal: controller.signal,
    finished: (call, answered) => {
      open.delete(call);
      if (answered) durations.push(clock.nowMs() - startedMs);
      if (overdue && answered) cut();
      if (durations.length < quorum) return;
      cancel();
      if (open.size === 0) return;
      const cutAtMs = Math.min(waveMs, Math.max(WAVE_MIN_MS, 2 * median(durations), ...open.values()));
      cancel = clock.after(Math.max(0, startedMs + cutAtMs - clock.nowMs()), cut);
    },
    cut,
    stop: () => cancel(),
  };
}

/** Durations arrive in ascending order, so the middle one is the median. */
function median(ascending: readonly number[]): number {
  return ascending[Math.floor(ascending.length / 2)] ?? 0;
}
