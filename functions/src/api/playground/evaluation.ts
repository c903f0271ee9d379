import { isRefusal, type Refusal } from '../../errors';
import type { Evaluated } from '../../evaluation/conclude';
import type { EvaluationRequest } from '../../evaluation/evaluation';
import type { ObserveJudges } from '../../evaluation/judge-event';
import { openEvaluation } from '../../evaluation/open-evaluation';
import { USUAL_REPLY_TOKENS } from '../../models/estimate-cost';
import type { Admitted } from '../../runs/admit';
import type { Opened } from '../../runs/run-context';
import { type EvaluationFields, evaluationRequest } from '../evaluations/request';
import { admitOnPlayground, playgroundGateway, playgroundUser } from './admit-on-playground';
import type { PlaygroundDeps, UserRequest } from './playground-deps';
import { userCatalog } from './user-catalog';

/** An evaluation that a user of the dashboard asks for. */
export interface PlaygroundEvaluation extends UserRequest {
  readonly fields: EvaluationFields;
  readonly observe: ObserveJudges;
}

/** An evaluation that was let in, and what it is of. */
export interface AdmittedEvaluation {
  readonly evaluation: EvaluationRequest;
  readonly admitted: Admitted<readonly Evaluated[]>;
}

/**
 * Admits an evaluation as `openPlaygroundRun` admits a run, of whose ten in a minute it takes one: router models may be
 * judges, and what platform models take counts against the monthly grant.
 */
export async function openPlaygroundEvaluation(
  deps: PlaygroundDeps,
  request: PlaygroundEvaluation,
): Promise<AdmittedEvaluation | Refusal> {
  const { userId, fields, observe, ...rest } = request;
  const subscription = await playgroundUser(deps, userId);
  if (isRefusal(subscription)) return subscription;
  const { catalog, refuseUnknown } = await userCatalog(deps, userId);
  const evaluation = evaluationRequest({ ...deps, catalog }, fields);
  if (isRefusal(evaluation)) return evaluation;
  const unknown = refuseUnknown();
  if (unknown) return unknown;
  const opened = openEvaluation(evaluation, { labelKey: deps.labelKey, requestId: request.id, observe });
  if (isRefusal(opened)) return opened;
  const models = evaluation.judges.map(({ model }) => model);
  const gateway = await playgroundGateway(deps, userId, models);
  if (isRefusal(gateway)) return gateway;
  const entry = { subscription, gateway, opened, platformTokens: platformTokensOf(opened) };
  const admitted = await admitOnPlayground(deps, { ...rest, userId, endpoint: 'playground.evaluations' }, entry);
  return isRefusal(admitted) ? admitted : { evaluation, admitted };
}

/** What the calls that begin at once are likely to take: one that needs more leases more on its way. */
function platformTokensOf({ firstWave }: Opened<unknown>): number {
  const platform = firstWave.filter(({ model }) => model.provider !== 'router');
  return platform.reduce((sum, { promptTokens }) => sum + promptTokens + USUAL_REPLY_TOKENS, 0);
}
