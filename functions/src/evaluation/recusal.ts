import { modelIdOfName } from '../models/catalog';
import type { EvaluationRequest, Judge, JudgedResponse } from './evaluation';

/** Whether a response was written by the judge's own model, whatever of its names is used. */
export function isOwn({ id }: Judge, response: JudgedResponse | undefined): boolean {
  return response !== undefined && canonical(id) === canonical(response.modelId);
}

/** How many responses a judge must not see: in `round_robin` its own model's, unless nobody else could judge them. */
export function ownCount(request: EvaluationRequest, bench: readonly Judge[]): (judge: Judge) => number {
  if (!recuses(request, bench)) return () => 0;
  const own = Map.groupBy(request.responses, ({ modelId }) => canonical(modelId));
  return ({ id }) => own.get(canonical(id))?.length ?? 0;
}

/** Whether a judge must not see a response; see `ownCount`. */
export function recusals(
  request: EvaluationRequest,
  bench: readonly Judge[],
): (judge: Judge, response: number) => boolean {
  if (!recuses(request, bench)) return () => false;
  return (judge, response) => isOwn(judge, request.responses[response]);
}

/** Where all judges are one model, recusing it would leave its own responses without a judge. */
function recuses({ strategy }: EvaluationRequest, bench: readonly Judge[]): boolean {
  return strategy === 'round_robin' && new Set(bench.map(({ id }) => canonical(id))).size > 1;
}

function canonical(id: string): string {
  return modelIdOfName(id).toLowerCase();
}
