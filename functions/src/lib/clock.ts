import { randomBytes } from 'node:crypto';

/** Cancels a timer; calling it twice, or after the timer fired, does nothing. */
export type CancelTimer = () => void;

/** The one source of time, timers and randomness. Everything above the adapters takes it as an argument. */
export interface Clock {
  nowMs(): number;
  /** Whole milliseconds since some moment, by a clock that is never set: for spans of time within this process. */
  monotonicMs(): number;
  /** Runs `fire` once after `delayMs`; the timer never keeps the process alive. */
  after(delayMs: number, fire: () => void): CancelTimer;
  randomBytes(count: number): Uint8Array;
}

/** Greatest difference between the clocks of instances: a stamp further ahead tells that its clock was set back since. */
export const CLOCKS_DIFFER_MS = 10_000;

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => Math.floor(performance.now()),
  after: (delayMs, fire) => {
    let isOver = false;
    const timer = setTimeout(() => {
      isOver = true;
      fire();
    }, delayMs);
    timer.unref();
    return () => {
      if (isOver) return;
      isOver = true;
      // Of a timer that does not keep the process alive Node forgets the list, one for each delay, only at its time.
      timer.ref();
      clearTimeout(timer);
    };
  },
  randomBytes,
};

/** A 128-bit random id as 32 hex characters: the request id, also sent as `x-request-id`. */
export function newId(clock: Clock): string {
  return Buffer.from(clock.randomBytes(16)).toString('hex');
}

/** Resolves after `delayMs`, or at once when `signal` aborts. Never rejects. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const cancel = clock.after(delayMs, finish);
    signal?.addEventListener('abort', finish, { once: true });
    function finish(): void {
      cancel();
      signal?.removeEventListener('abort', finish);
      resolve();
    }
  });
}

export function isoTime(timeMs: number): string;
export function isoTime(timeMs: number | null): string | null;
export function isoTime(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}
