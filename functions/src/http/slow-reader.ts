import type { ServerResponse } from 'node:http';
import type { CancelTimer, Clock } from '../lib/clock';

/** Milliseconds for which a client may leave unread what was written for it. */
const UNREAD_MS = 120_000;

/**
 * Closes the connection of a client that has not taken by then all that was written: without it one that never reads
 * would keep its connection, and what is to be sent over it, for ever. Until the timer is cancelled or the reply over.
 */
export function closeUnlessTaken(res: ServerResponse, clock: Clock): CancelTimer {
  const cancel = clock.after(UNREAD_MS, () => res.destroy());
  res.once('close', cancel);
  return () => {
    res.off('close', cancel);
    cancel();
  };
}
