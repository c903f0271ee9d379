import type { EvaluationRequest, Judge, JudgedResponse } from './evaluation';

/** Whether a response was written by the judge's own model, whatever of its names is used. */
export function isOwn({ canonicalId }: EvaluationRequest, judge: Judge, response: JudgedResponse | undefined): boolean {
  return response !== undefined && canonicalId(judge.id) === canonicalId(response.modelId);
}

/** How many responses a judge must not see: in `round_robin` its own model's, unless nobody else could judge them. */
export function ownCount(request: EvaluationRequest, bench: readonly Judge[]): (judge: Judge) => number {
  if (!recuses(request, bench)) return () => 0;
  const { responses, canonicalId } = request;
  const own = Map.groupBy(responses, ({ modelId }) => canonicalId(modelId));
  return ({ id }) => own.get(canonicalId(id))?.length ?? 0;
}

/** Whether a judge must not see a response; see `ownCount`. */
export function recusals(
  request: EvaluationRequest,
  bench: readonly Judge[],
): (judge: Judge, response: number) => boolean {
  if (!recuses(request, bench)) return () => false;
  return (judge, response) => isOwn(request, judge, request.responses[response]);
}

/** Where all judges are one model, recusing it would leave its own responses without a judge. */
function recuses({ strategy, canonicalId }: EvaluationRequest, bench: readonly Judge[]): boolean {
  return strategy === 'round_robin' && new Set(bench.map(({ id }) => canonicalId(id))).size > 1;
}
