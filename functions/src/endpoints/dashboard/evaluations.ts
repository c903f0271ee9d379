import { Fault, isRefusal } from '../../errors';
import type { JudgeEvent } from '../../evaluation/judge-event';
import { rounded } from '../../evaluation/scoring';
import type { EventWriter } from '../../http/event-stream';
import type { Reply } from '../../http/reply';
import type { AccountRequest, AccountRoute } from '../../http/route';
import { run } from '../../runs/run';
import { evaluationBody, roundedScores } from '../evaluations/reply';
import { evaluationFlaw, evaluationSchema } from '../evaluations/request';
import { type AdmittedEvaluation, openPlaygroundEvaluation } from '../playground/evaluation';
import type { PlaygroundDeps } from '../playground/playground-deps';
import { readBody } from '../read-body';

/** `POST /dashboard/evaluations`: given responses, scored by judge models, told judge by judge. */
export function evaluationRoute(deps: PlaygroundDeps): AccountRoute {
  return { method: 'POST', path: '/dashboard/evaluations', handle: (request) => evaluate(deps, request) };
}

/** Ends when its client leaves. */
async function evaluate(deps: PlaygroundDeps, request: AccountRequest): Promise<Reply> {
  const fields = await readBody(request, evaluationSchema, evaluationFlaw);
  if (isRefusal(fields)) return fields;
  // The judges begin once the reply has.
  let events: EventWriter | undefined;
  const observe = (event: JudgeEvent): void => events?.write(judgeEvent(event));
  const opened = await openPlaygroundEvaluation(deps, { ...request, fields, observe });
  if (isRefusal(opened)) return opened;
  return {
    headers: opened.admitted.headers,
    bridged: true,
    play: async (writer) => {
      events = writer;
      writer.write(await lastEvent(opened));
    },
  };
}

async function lastEvent({ evaluation, admitted }: AdmittedEvaluation): Promise<object> {
  const ended = await run(admitted, { live: false, text: () => undefined, status: () => undefined });
  if (ended instanceof Fault) return { type: 'failed', message: ended.publicText };
  return { type: 'result', ...evaluationBody(evaluation, ended) };
}

/** Numbers are rounded as in the result. */
function judgeEvent({ scores, overallScore, ...event }: JudgeEvent): object {
  return {
    ...event,
    ...(scores && { scores: roundedScores(scores) }),
    ...(overallScore !== undefined && { overallScore: rounded(overallScore) }),
  };
}
