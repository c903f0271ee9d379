import type { Clock } from '../lib/clock';

/** Time for which a call may go on for a client that has left. */
const DRAIN_MS = 2_000;

/** Signals that tell why a call is given up. */
export interface Departure {
  readonly clock: Clock;
  /** Aborted when the client has left. */
  readonly clientGone: AbortSignal;
  /** Aborted once the process is to end. */
  readonly stopping: AbortSignal;
}

/**
 * A signal for one call that follows `signal`, at once unless it is the client that has left: then the reply is read on for
 * two seconds, since most providers tell its usage at its end, and what it cost would have to be guessed. Nobody waits for
 * that; a process that is to end does not either. `end` must be called when the call is over.
 */
export function drainedSignal(signal: AbortSignal, { clock, clientGone, stopping }: Departure) {
  const controller = new AbortController();
  let cancel = (): void => undefined;
  const end = (): void => {
    cancel();
    signal.removeEventListener('abort', onAbort);
    stopping.removeEventListener('abort', abort);
  };
  const abort = (): void => {
    end();
    controller.abort();
  };
  function onAbort(): void {
    if (!clientGone.aborted || stopping.aborted) abort();
    else {
      cancel = clock.after(DRAIN_MS, abort);
      stopping.addEventListener('abort', abort);
    }
  }
  if (signal.aborted) abort();
  else signal.addEventListener('abort', onAbort);
  return { signal: controller.signal, abort, end };
}
