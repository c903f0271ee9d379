import type { FakeClock } from './fake-clock';

/** The interval at which a clock that else stands still is moved, and by how much. */
const EVERY_MS = 5;
const BY_MS = 20;

/**
 * Lets time pass while `work` is under way: for what must wait on its own, such as very long replies, which are read at a
 * bounded pace.
 */
export async function whileTimePasses<T>(clock: FakeClock, work: Promise<T>): Promise<T> {
  const moving = setInterval(() => void clock.advance(BY_MS), EVERY_MS);
  try {
    return await work;
  } finally {
    clearInterval(moving);
  }
}
