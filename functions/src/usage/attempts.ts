import type { AttemptBook } from '../models/gateway';
import type { ModelFaultKind } from '../models/model';
import type { Books, PlannedCall } from './books';
import type { CallOutcome } from './call-row';

/**
 * The ledger entry of attempt 1, 2, … at a planned call: listed before the attempt starts, at once where the call was
 * listed already. Rejects when the store does: an attempt that cannot be listed must not be made.
 */
export function openAttempt(books: Books, planned: PlannedCall, attempt: number): AttemptBook | Promise<AttemptBook> {
  const callId = attempt === 1 ? planned.callId : `${planned.callId}#${attempt}`;
  const listed = books.plan([{ ...planned, callId }]);
  // A call counts as made from the moment its meter is taken.
  const book = (): AttemptBook => ({
    meter: books.meter(callId),
    close: (fault, durationMs) => {
      books.close(callId, outcomeOf(fault), durationMs);
    },
    cancel: () => books.cancel(callId),
  });
  return listed ? listed.then(book) : book();
}

/** A call that was cut off by us may have been billed although nothing had come back yet; a refused one was not. */
function outcomeOf(fault: ModelFaultKind | undefined): Exclude<CallOutcome, 'open'> {
  if (fault === undefined) return 'ok';
  return fault === 'timeout' || fault === 'aborted' ? 'aborted' : 'failed';
}
