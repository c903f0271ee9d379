import { isRefusal, type Refusal, refuse } from '../errors';
import { evaluate, firstWave, prepareEvaluation } from '../evaluation/evaluate';
import type { EvaluationRequest } from '../evaluation/evaluation';
import { JUDGE_CALLS_MAX, planSize } from '../evaluation/plan';
import type { Preparation } from '../evaluation/session';
import { type ApiRequest, json, type Reply, type Route } from './endpoint';
import { evaluationBody } from './evaluation-body';
import { evaluationRequestSchema } from './evaluation-request';
import { openBooks } from './open-books';
import { readBody } from './parse';
import type { Services } from './services';

/** `POST /v1/evaluations`: given responses, scored by judge models. */
export function evaluations(services: Services): Route {
  const schema = evaluationRequestSchema(services.catalog);
  return {
    method: 'POST',
    path: '/v1/evaluations',
    limited: true,
    handle: async (request) => {
      const wanted = await readBody(request, schema);
      if (isRefusal(wanted)) return wanted;
      const prepared = prepare(services, wanted);
      return isRefusal(prepared) ? prepared : answer(services, request, prepared);
    },
  };
}

/** Plans the calls; too many are refused before anything is asked or booked. */
function prepare({ layoutKey }: Services, wanted: EvaluationRequest): Preparation | Refusal {
  const calls = planSize(wanted);
  if (calls > JUDGE_CALLS_MAX) return tooManyCalls(calls);
  const prepared = prepareEvaluation(layoutKey, wanted);
  const { callsMax } = prepared.plan;
  return callsMax > JUDGE_CALLS_MAX ? tooManyCalls(callsMax) : prepared;
}

function tooManyCalls(calls: number): Refusal {
  return refuse(
    'invalid_request',
    `Invalid request: the evaluation needs up to ${calls} judge calls, at most ${JUDGE_CALLS_MAX} are allowed`,
  );
}

async function answer(services: Services, request: ApiRequest, prepared: Preparation): Promise<Reply> {
  const opened = await openBooks(services, request, { endpoint: 'evaluations', firstWave: firstWave(prepared) });
  if (isRefusal(opened)) return opened;
  const { books, headers } = opened;
  const { id, startedAtMs, clientGone, trace } = request;
  const outcome = await evaluate({ ...services, ...prepared, id, startedAtMs, clientGone, trace, books });
  await opened.settle();
  if (!outcome.ok) return opened.failed(outcome.fault);
  return json(evaluationBody(prepared.request, outcome.evaluations, books.totals()), headers);
}
