import { isRefusal } from '../errors';
import { type ApiRequest, type ChunkMeta, json, type Reply } from './endpoint';
import { type Collected, openRun, type RunPlan } from './open-run';
import type { RunFields } from './run-fields';
import type { Services } from './services';

/** A run, and what its reply looks like at the endpoint it was asked of. */
export interface AnswerPlan extends RunPlan {
  readonly fields: Pick<RunFields, 'model' | 'stream'>;
  /** Before the millisecond timestamp that makes the reply's id. */
  readonly idPrefix: 'chatcmpl-' | 'resp_';
  /** The reply in one piece; streams look the same at every endpoint. */
  body(meta: ChunkMeta, collected: Collected): object;
}

/** Admits a run and answers with it, as a stream or in one piece. */
export async function answerRun(services: Services, request: ApiRequest, plan: AnswerPlan): Promise<Reply> {
  const run = await openRun(services, request, plan);
  if (isRefusal(run)) return run;
  const { startedAtMs } = request;
  const { model, stream } = plan.fields;
  const meta: ChunkMeta = { id: `${plan.idPrefix}${startedAtMs}`, created: Math.floor(startedAtMs / 1000), model };
  if (stream === true) return { kind: 'stream', meta, ...run };
  const collected = await run.collect();
  return isRefusal(collected) ? collected : json(plan.body(meta, collected), run.headers);
}
