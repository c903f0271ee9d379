import type { RunEvent } from './run-events';
import type { RunStore } from './run-store';

/** The pace at which a kept run is shown again. */
export type Pace = 'real' | 'fast';

/** Number of seconds of the run that pass in one. */
export const SPEEDS: Readonly<Record<Pace, number>> = { real: 1, fast: 10 };

/** Time, for players. */
export interface PlayerClock {
  nowMs(): number;
  /** Calls back after so many milliseconds; returns what prevents that. */
  after(ms: number, act: () => void): () => void;
}

/** The time of the page. */
const PAGE_CLOCK: PlayerClock = {
  nowMs: () => performance.now(),
  after: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

/** Shows recorded events again in a store, as they happened. */
export interface RunPlayer {
  /** From the beginning, at this pace. */
  play(pace: Pace): void;
  /** All that is left, at once. */
  finish(): void;
  /** Set while it plays. */
  pace(): Pace | undefined;
  /** Calls back when it begins and ends to play; returns what ends that. */
  subscribe(listener: () => void): () => void;
}

/** At most so many steps a second, however close together events are. */
const STEP_MS = 40;

/** A player of these events, which are in order. */
export function createRunPlayer(
  events: readonly RunEvent[],
  store: Pick<RunStore, 'apply' | 'reset'>,
  clock = PAGE_CLOCK,
): RunPlayer {
  const listeners = new Set<() => void>();
  let pace: Pace | undefined;
  let next = 0;
  let beganAtMs = 0;
  let cancel = (): void => {};

  const become = (now: Pace | undefined): void => {
    cancel();
    pace = now;
    for (const listener of listeners) listener();
  };
  const step = (): void => {
    if (!pace) return;
    const reachedMs = (clock.nowMs() - beganAtMs) * SPEEDS[pace];
    const from = next;
    while (next < events.length && (events[next]?.atMs ?? 0) <= reachedMs) next += 1;
    store.apply(events.slice(from, next));
    const upcoming = events[next];
    if (upcoming) cancel = clock.after(Math.max(STEP_MS, (upcoming.atMs - reachedMs) / SPEEDS[pace]), step);
    else become(undefined);
  };
  return {
    play: (chosen) => {
      next = 0;
      beganAtMs = clock.nowMs();
      store.reset();
      become(chosen);
      step();
    },
    finish: () => {
      store.apply(events.slice(next));
      next = events.length;
      become(undefined);
    },
    pace: () => pace,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
