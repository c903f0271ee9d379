import { Fault } from '../../errors';
import type { Clock } from '../../lib/clock';

/** One operation on the store as its caller sees it: a name for the log and how long it may take in all. */
export interface Operation {
  readonly name: string;
  readonly budgetMs: number;
}

/**
 * Runs `work` and rejects with a Fault `internal` when it has not ended within its budget, whatever it waits for. The
 * signal is aborted then, so that what is still running can stop before its next step.
 */
export async function withinDeadline<T>(
  clock: Clock,
  { name, budgetMs }: Operation,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let cancel = (): void => {};
  const tooLate = new Promise<never>((_, reject) => {
    cancel = clock.after(budgetMs, () => {
      const cause = new Error(`Firestore: ${name} took longer than ${budgetMs} ms`);
      const fault = new Fault('internal', undefined, { cause });
      controller.abort(fault);
      reject(fault);
    });
  });
  try {
    return await Promise.race([work(controller.signal), tooLate]);
  } finally {
    cancel();
  }
}
