import type { ServerResponse } from 'node:http';
import type { CancelTimer, Clock } from '../lib/clock';

const UNREAD_MS = 120_000;

/** Closes the connection of a client that has not taken by then all that was written, until cancelled or over. */
export function closeUnlessTaken(res: ServerResponse, clock: Clock): CancelTimer {
  const cancel = clock.after(UNREAD_MS, () => res.destroy());
  res.once('close', cancel);
  return () => {
    res.off('close', cancel);
    cancel();
  };
}
