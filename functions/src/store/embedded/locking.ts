import { setTimeout as pause } from 'node:timers/promises';
import { storeUnavailable } from '../../errors';

/** Milliseconds for which a writer waits for another process. */
export const BUSY_TIMEOUT_MS = 5_000;

const LONGEST_PAUSE_MS = 20;
const SQLITE_BUSY = 5;
/** SQLITE_BUSY, SQLITE_LOCKED, SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL and SQLITE_CANTOPEN. */
const UNAVAILABLE: ReadonlySet<number> = new Set([SQLITE_BUSY, 6, 8, 10, 13, 14]);

/** True if SQLite refused because another process holds the lock. */
export function isBusy(error: unknown): boolean {
  return resultCode(error) === SQLITE_BUSY;
}

/** An error of SQLite as a fault of the store where another process or the disk is to blame; any other as it is. */
export function asFault(error: unknown): unknown {
  return UNAVAILABLE.has(resultCode(error)) ? storeUnavailable(error) : error;
}

/** The primary result code of an error of SQLite: its low byte, of which the rest says more. */
function resultCode(error: unknown): number {
  return Number((error as { errcode?: unknown } | null | undefined)?.errcode) & 0xff;
}

/**
 * Tries `work`, first at once, until no other process is in its way. Rejects with anything else it throws, and with
 * SQLite's own error once `timeoutMs` have passed. SQLite's busy timeout would do the same while the event loop stands
 * still.
 */
export async function whenUnlocked<T>(work: () => T, timeoutMs = BUSY_TIMEOUT_MS): Promise<T> {
  const giveUpAtMs = performance.now() + timeoutMs;
  for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= giveUpAtMs) throw error;
    }
    // Random, or processes that collided once would collide again.
    await pause(pauseMs * (0.5 + Math.random()));
  }
}

/** The same without leaving the current turn, for opening a database. */
export function untilUnlocked(work: () => void): void {
  const waiting = new Int32Array(new SharedArrayBuffer(4));
  for (let waitedMs = 0; ; waitedMs += LONGEST_PAUSE_MS) {
    try {
      work();
      return;
    } catch (error) {
      if (!isBusy(error) || waitedMs >= BUSY_TIMEOUT_MS) throw error;
      Atomics.wait(waiting, 0, 0, LONGEST_PAUSE_MS);
    }
  }
}
