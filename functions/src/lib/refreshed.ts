import type { Clock } from './clock';

/** Last value that was read, if any, and the failure of the latest reading. */
export interface Refreshed<T> {
  readonly value?: T;
  readonly readAtMs?: number;
  readonly error?: Error;
}

/** Spans of a value that is read anew: its age at most, and the pause after a failure. */
interface RefreshTimes {
  readonly freshMs: number;
  readonly retryMs?: number;
}

/** Makes a reader of a value that is kept: one reading for all who ask, and the last value while none succeeds. Never rejects. */
export function refreshed<T>(
  read: () => Promise<T>,
  { freshMs, retryMs = 0 }: RefreshTimes,
  clock: Clock,
): () => Promise<Refreshed<T>> {
  let last: Refreshed<T> = {};
  let nextMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  return async () => {
    if (clock.monotonicMs() >= nextMs) {
      reading ??= readAnew();
      await reading;
    }
    return last;
  };

  async function readAnew(): Promise<void> {
    try {
      last = { value: await read(), readAtMs: clock.nowMs() };
    } catch (error) {
      last = { ...last, error: error as Error };
    }
    nextMs = clock.monotonicMs() + ('error' in last ? retryMs : freshMs);
    reading = undefined;
  }
}
