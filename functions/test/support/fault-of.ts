import { ModelFault } from '../../src/models/model';

/** The fault a run ends in; throws when it ends in anything else. */
export async function faultOf(run: Promise<unknown>): Promise<ModelFault> {
  const error = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ModelFault) return error;
  throw new Error('the run did not end in a ModelFault', { cause: error });
}
