import type { Admitted } from './admit';
import type { EventSink } from './run-context';

/**
 * The same sink; notes when the answer begins. No text leaves before what was called for it is on disk: a call may begin
 * before that, so that it does not wait for the disk, but nobody is to get what a power failure would make free (ADR 7).
 */
export function firstTextOnDisk({ deps: { clock, store }, request }: Admitted<unknown>, sink: EventSink): EventSink {
  let begun = false;
  let held: Promise<void> | undefined;
  let waiting = 0;
  const pass = (send: () => Promise<void> | undefined): Promise<void> | undefined => {
    if (!begun) {
      begun = true;
      request.trace.note({ firstTextMs: clock.nowMs() - request.startedAtMs });
      held = sink.live ? store.onDisk?.() : undefined;
    }
    if (!held) return send();
    waiting += 1;
    // Senders may go on without waiting: what comes meanwhile stays behind.
    return held.then(() => {
      waiting -= 1;
      if (waiting === 0) held = undefined;
      return send();
    });
  };
  const { toolCall } = sink;
  return {
    ...sink,
    text: (piece) => pass(() => sink.text(piece)),
    ...(toolCall && { toolCall: (piece) => pass(() => toolCall(piece)) }),
  };
}
