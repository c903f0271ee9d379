import type { Clock } from '../lib/clock';
import type { Log } from '../lib/log';
import type { Books } from './books';

/** A long call's tokens are written down this often, so that a crash loses little. */
const CHECKPOINT_EVERY_MS = 15_000;

/** Whose books are kept, and with what. */
interface Bookkeeping {
  readonly id: string;
  readonly books: Books;
  readonly clock: Clock;
  readonly log: Log;
}

/** Writes down what running calls have consumed, again and again until the returned function is called. */
export function checkpointRegularly({ id, books, clock, log }: Bookkeeping): () => void {
  let cancel = schedule();
  function schedule(): () => void {
    return clock.after(CHECKPOINT_EVERY_MS, () => {
      books.checkpoint().catch((error: unknown) => log.checkpointFailed(id, error));
      cancel = schedule();
    });
  }
  return () => cancel();
}
