import { refuseModels } from '../../access/key-limits';
import { estimateRun, type RunEstimate } from '../../ensemble/estimate/estimate-run';
import { type EnsembleResult, modelIdsOf, openEnsemble } from '../../ensemble/open-ensemble';
import { isRefusal, type Refusal } from '../../errors';
import type { ApiRequest } from '../../http/route';
import { type Admitted, admit } from '../../runs/admit';
import type { EndpointDeps } from '../deps';
import { refuseCost } from '../ensemble-options/bounds';
import { withChecks } from '../ensemble-options/checks';
import { ensembleRequest } from '../ensemble-options/ensemble-request';
import type { RunFields } from '../ensemble-options/run-fields';

/**
 * The run that a request asks for, admitted; or its plan, where it asks for no more than that: nothing is called or
 * booked then, and like a read it takes no rate slot but one from its user's bucket.
 */
export async function openRun(
  deps: EndpointDeps,
  request: ApiRequest,
  fields: RunFields,
): Promise<Admitted<EnsembleResult> | { readonly plan: RunEstimate } | Refusal> {
  const { id, startedAtMs, caller } = request;
  const asked = ensembleRequest(deps, fields, id);
  const ensemble = isRefusal(asked) ? asked : await withChecks(asked, { ...fields.ai_ensemble, stream: fields.stream });
  if (isRefusal(ensemble)) return ensemble;
  const paces = deps.answerTimes.of(caller.userId);
  // Who is over the limit was not looked up, and can only be refused.
  if (!fields.ai_ensemble.dryRun || caller.denial) {
    return refuseCost(ensemble, startedAtMs) ?? admit(deps, request, openEnsemble(ensemble, paces));
  }
  const barred = refuseModels(caller.limits, modelIdsOf(ensemble));
  if (barred) return barred;
  deps.guard.count(caller);
  return { plan: estimateRun(ensemble, { paces, atMs: startedAtMs }) };
}
