import { createHash } from 'node:crypto';
import * as z from 'zod';
import { Fault, isRefusal, refuse } from '../../errors';
import type { JudgeEvent } from '../../evaluation/judge-event';
import { rounded } from '../../evaluation/scoring';
import type { EventWriter } from '../../http/event-stream';
import type { Reply } from '../../http/reply';
import type { AccountRequest, AccountRoute } from '../../http/route';
import { run } from '../../runs/run';
import type { RunRef } from '../../runs/run-store';
import { evaluationBody, roundedScores } from '../evaluations/reply';
import { EVALUATION_FIELDS, EVALUATION_NOTES, evaluationFlaw } from '../evaluations/request';
import { type AdmittedEvaluation, openPlaygroundEvaluation } from '../playground/evaluation';
import type { PlaygroundDeps } from '../playground/playground-deps';
import { readBody } from '../read-body';
import { refuseUnknownRun } from '../runs/unknown-run';
import { withNotes } from '../schema-notes';
import { objectOf } from '../schemas';

/** The body of `POST /dashboard/evaluations`. */
export const accountEvaluationSchema = withNotes(
  objectOf({ ...EVALUATION_FIELDS, runId: z.string('must be a string').optional() }),
  {
    fields: {
      ...EVALUATION_NOTES,
      runId: 'A kept run of the user: the result is kept with it. With 20 of them it is full, and a further one a 400.',
    },
  },
);

/** `POST /dashboard/evaluations`: given responses, scored by judge models, told judge by judge. */
export function evaluationRoute(deps: PlaygroundDeps): AccountRoute {
  return { method: 'POST', path: '/dashboard/evaluations', handle: (request) => evaluate(deps, request) };
}

/** What cannot be kept is refused before a judge is paid. */
const REFUSALS = {
  room: undefined,
  full: refuse(
    'invalid_request',
    'Invalid runId: 20 evaluations are kept with this run already; leave it away to evaluate without keeping',
  ),
  gone: refuseUnknownRun(),
};

/** Ends when its client leaves. */
async function evaluate(deps: PlaygroundDeps, request: AccountRequest): Promise<Reply> {
  const fields = await readBody(request, accountEvaluationSchema, evaluationFlaw);
  if (isRefusal(fields)) return fields;
  const kept = fields.runId === undefined ? undefined : { userId: request.userId, runId: fields.runId };
  const refusal = kept && REFUSALS[await deps.keptRuns.roomForEvaluation(kept)];
  if (refusal) return refusal;
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
      writer.write(await lastEvent(deps, opened, kept));
    },
  };
}

async function lastEvent(
  { keptRuns, log }: PlaygroundDeps,
  { evaluation, admitted }: AdmittedEvaluation,
  kept: RunRef | undefined,
): Promise<object> {
  const { request } = admitted;
  const ended = await run(admitted, { live: false, text: () => undefined, status: () => undefined });
  if (ended instanceof Fault) return { type: 'failed', message: ended.publicText };
  const result = evaluationBody(evaluation, ended);
  // Of an evaluation that its client has left there is but a part.
  if (kept && !request.clientGone.aborted) {
    const failed = (error: unknown): void => log.warn('evaluation not kept', request.trace.where, error);
    await keptRuns.addEvaluation(kept, keptEvaluation(result)).catch(failed);
  }
  return { type: 'result', ...result };
}

/** An evaluation as it is kept: each response as the SHA-256 of its text, which the run has already. */
function keptEvaluation(result: object): object {
  const hashed = (name: string, value: unknown): unknown =>
    name === 'response' ? createHash('sha256').update(String(value)).digest('hex') : value;
  return JSON.parse(JSON.stringify(result, hashed));
}

/** Numbers are rounded as in the result. */
function judgeEvent({ scores, overallScore, ...event }: JudgeEvent): object {
  return {
    ...event,
    ...(scores && { scores: roundedScores(scores) }),
    ...(overallScore !== undefined && { overallScore: rounded(overallScore) }),
  };
}
