import { createHash } from 'node:crypto';
import type { Clock } from '../../src/lib/clock';

/** A clock that stands still until it is moved, with repeatable randomness. */
export interface FakeClock extends Clock {
  /** Moves time forward, firing due timers in order; promises settled by a timer run before the next one fires. */
  advance(byMs: number): Promise<void>;
  /** Timers that are waiting. */
  readonly pending: number;
}

/** Starts at 2026-01-15T12:00:00Z unless told otherwise. */
export function fakeClock(startMs = Date.UTC(2026, 0, 15, 12)): FakeClock {
  let nowMs = startMs;
  let draws = 0;
  const timers = new Set<{ atMs: number; fire: () => void }>();
  return {
    nowMs: () => nowMs,
    after: (delayMs, fire) => {
      const timer = { atMs: nowMs + delayMs, fire };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    randomBytes: (count) => {
      draws += 1;
      return Uint8Array.from(
        { length: count },
        (_, index) => createHash('sha256').update(`${draws}.${index}`).digest()[0] ?? 0,
      );
    },
    get pending() {
      return timers.size;
    },
    advance: async (byMs) => {
      const untilMs = nowMs + byMs;
      for (;;) {
        await drainMicrotasks();
        const due = [...timers].filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0];
        if (!due) break;
        nowMs = Math.max(nowMs, due.atMs);
        timers.delete(due);
        due.fire();
      }
      nowMs = untilMs;
      await drainMicrotasks();
    },
  };
}

function drainMicrotasks(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
