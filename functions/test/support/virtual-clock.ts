import type { CancelTimer, Clock } from '../../src/lib/clock';

/** A clock that jumps to the next timer as soon as nothing else is left to do: minutes pass in microseconds. */
export interface VirtualClock extends Clock {
  /** Another face of the same time, for everything around the code under test: its timers are not in `pending`. */
  readonly world: Clock;
  /** Timers of the code under test that are waiting. */
  readonly pending: number;
  /** Lets time pass until `work` has settled. Rejects when it has not after `limitMs`, or when nothing is left to wait for. */
  settle<T>(work: Promise<T>, limitMs: number): Promise<T>;
  /** Lets this much time pass. */
  pass(byMs: number): Promise<void>;
}

interface Timer {
  readonly atMs: number;
  readonly fire: () => void;
  readonly ours: boolean;
}

/**
 * Starts at 2026-01-15T12:00:00Z. `quiet` resolves once nothing can run without time passing: by default a turn of the
 * event loop, which is enough where there is no I/O.
 */
export function virtualClock(quiet: () => Promise<void> = turn): VirtualClock {
  let nowMs = Date.UTC(2026, 0, 15, 12);
  let draws = 0;
  let pending = 0;
  const timers = new Set<Timer>();

  const face = (ours: boolean): Clock => ({
    nowMs: () => nowMs,
    after: (delayMs, fire) => start({ atMs: nowMs + Math.max(0, Math.ceil(delayMs)), fire, ours }),
    randomBytes: (count) => {
      draws += 1;
      return Uint8Array.from({ length: count }, (_, index) => draws >>> (8 * (index % 4)));
    },
  });

  function start(timer: Timer): CancelTimer {
    timers.add(timer);
    if (timer.ours) pending += 1;
    return () => stop(timer);
  }

  function stop(timer: Timer): void {
    if (timers.delete(timer) && timer.ours) pending -= 1;
  }

  /** The earliest; of equals the one that was set first. */
  function next(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of timers) if (!first || timer.atMs < first.atMs) first = timer;
    return first;
  }

  /** Lets everything run that can until `over`; false when it came to a standstill before. */
  async function run(untilMs: number, over: () => boolean): Promise<boolean> {
    for (;;) {
      await quiet();
      if (over()) return true;
      const due = next();
      if (!due || due.atMs > untilMs) return false;
      nowMs = Math.max(nowMs, due.atMs);
      stop(due);
      due.fire();
    }
  }

  return {
    ...face(true),
    world: face(false),
    get pending() {
      return pending;
    },
    settle: async (work, limitMs) => {
      let settled = false;
      const end = (): void => {
        settled = true;
      };
      work.then(end, end);
      const startedMs = nowMs;
      if (await run(startedMs + limitMs, () => settled)) return work;
      throw new Error(`not settled: at a standstill ${nowMs - startedMs} ms after the start, limit ${limitMs} ms`);
    },
    pass: async (byMs) => {
      const untilMs = nowMs + byMs;
      await run(untilMs, () => false);
      nowMs = untilMs;
    },
  };
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
