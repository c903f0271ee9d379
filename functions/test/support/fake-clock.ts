import { createHash } from 'node:crypto';
import type { Clock } from '../../src/lib/clock';

/** A clock that stands still until it is moved, with repeatable randomness. Minutes pass in microseconds. */
export interface FakeClock extends Clock {
  /** The same time for everything around the code under test: these timers are not in `pending`. */
  readonly world: Clock;
  /** Timers of the code under test that are waiting. */
  readonly pending: number;
  /** Moves time forward, firing due timers in order; promises settled by a timer run before the next one fires. */
  advance(byMs: number): Promise<void>;
  /** Sets what it tells as the time of day back; timers and spans go on as they were. */
  setBack(byMs: number): void;
  /** Moves time from timer to timer until `work` has settled; rejects when it has not after `limitMs`. */
  settle<T>(work: Promise<T>, limitMs: number): Promise<T>;
}

interface Timer {
  readonly atMs: number;
  readonly fire: () => void;
  readonly ours: boolean;
}

/**
 * Starts at 2026-01-15T12:00:00Z unless told otherwise. `quiet` resolves once nothing can run without time passing: by
 * default a turn of the event loop, which is enough where there is no I/O.
 */
export function fakeClock(startMs = Date.UTC(2026, 0, 15, 12), quiet = turn): FakeClock {
  let nowMs = startMs;
  let setBackMs = 0;
  let draws = 0;
  const timers = new Set<Timer>();

  const face = (ours: boolean): Clock => ({
    nowMs: () => nowMs - setBackMs,
    monotonicMs: () => nowMs,
    after: (delayMs, fire) => {
      const timer = { atMs: nowMs + Math.max(0, Math.ceil(delayMs)), fire, ours };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    randomBytes: (count) => {
      draws += 1;
      const byte = (index: number) => createHash('sha256').update(`${draws}.${index}`).digest()[0] ?? 0;
      return Uint8Array.from({ length: count }, (_, index) => byte(index));
    },
  });

  /** The earliest; of equals the one that was set first. */
  const next = (): Timer | undefined => {
    let first: Timer | undefined;
    for (const timer of timers) if (!first || timer.atMs < first.atMs) first = timer;
    return first;
  };

  /** Lets everything run that can until `over`; false when it came to a standstill before. */
  const run = async (untilMs: number, over: () => boolean): Promise<boolean> => {
    for (;;) {
      await quiet();
      if (over()) return true;
      const due = next();
      if (!due || due.atMs > untilMs) return false;
      nowMs = Math.max(nowMs, due.atMs);
      timers.delete(due);
      due.fire();
    }
  };

  return {
    ...face(true),
    world: face(false),
    get pending() {
      return [...timers].filter(({ ours }) => ours).length;
    },
    advance: async (byMs) => {
      const untilMs = nowMs + byMs;
      await run(untilMs, () => false);
      nowMs = untilMs;
      await quiet();
    },
    setBack: (byMs) => {
      setBackMs += byMs;
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
  };
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
