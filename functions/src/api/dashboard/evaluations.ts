import { createHash } from 'node:crypto';
import * as z from 'zod';
import { Fault, isRefusal, type Refusal, refuse } from '../../errors';
import type { Evaluated } from '../../evaluation/conclude';
import type { JudgeEvent as Judged, ObserveJudges } from '../../evaluation/evaluation';
import { openEvaluation } from '../../evaluation/open-evaluation';
import { rounded } from '../../evaluation/scoring';
import type { EventWriter } from '../../http/event-stream';
import { always, count, named, oneOf, type Sent, text } from '../../lib/reply-schemas';
import { USUAL_REPLY_TOKENS } from '../../models/prices';
import type { Admitted } from '../../runs/admit';
import { run as play } from '../../runs/run';
import type { Opened } from '../../runs/run-context';
import type { RunRef } from '../../runs/run-store';
import type { DashboardDeps, UserRequest } from '../deps';
import { admitOnPlayground, withUserModels } from '../playground/admit-on-playground';
import { accountRoute } from '../shared/operation';
import { objectOf } from '../shared/schemas';
import { criteria, evaluationBody, evaluationListFields, overallScore, roundedScores } from '../v1/evaluation-body';
import { EVALUATION_FIELDS, type EvaluationFields, evaluationFlaw, evaluationOf } from '../v1/evaluations';
import { refuseUnknownRun } from '../v1/run-events';

const AccountEvaluation = objectOf({
  ...EVALUATION_FIELDS,
  runId: z
    .string('must be a string')
    .optional()
    .describe(
      'A kept run of the user: the result is kept with it. With 20 of them it is full, and a further one a 400.',
    ),
}).meta({ id: 'AccountEvaluation' });

const JudgeEvent = named('JudgeEvent', () =>
  z.object({
    type: always('judge'),
    judge: z.object({
      index: count('Its place among the judges of the request, from 0.'),
      id: text('As sent.'),
      name: text('As sent.'),
    }),
    response: count('By place in the request, from 0.'),
    round: count('2: a second look, with the scores of the others before it.'),
    state: oneOf(['started', 'done', 'failed'], 'What has happened. What counts in the end is the result alone.'),
    scores: criteria('Of a judge that is done, by criterion.').optional(),
    overallScore: overallScore().optional(),
    reasoning: text('In the words of the judge.').optional(),
    reason: text('Why there are no scores.').optional(),
  }),
);
const EvaluationResult = named('EvaluationResult', () =>
  z.object({ type: always('result'), ...evaluationListFields() }),
);
const EvaluationFailed = named('EvaluationFailed', () =>
  z.object({ type: always('failed'), message: text('Why there is no result.') }),
);
type LastEvent = Sent<typeof EvaluationResult> | Sent<typeof EvaluationFailed>;

/** Refusals of what cannot be kept, before a judge is paid. */
const REFUSALS = {
  room: undefined,
  full: refuse(
    'invalid_request',
    'Invalid runId: 20 evaluations are kept with this run already; leave it away to evaluate without keeping',
  ),
  gone: refuseUnknownRun(),
};

/** Given responses, scored by judge models, reported judge by judge. Ends when its client leaves. */
export const judge = accountRoute({
  at: 'POST /dashboard/evaluations',
  id: 'judge',
  summary: 'Score given responses with judge models, told judge by judge',
  description:
    'As `POST /v1/evaluations`, with router models among the judges. It takes one of the ten runs a minute, counts against the monthly grant, and ends when its client leaves. The last event is `result` or `failed`; silences are bridged by comments.',
  body: AccountEvaluation,
  flaw: evaluationFlaw,
  example: {
    prompt: 'Is a tomato a fruit?',
    responses: [
      { modelId: 'demo-ada', modelName: 'Demo Ada', response: 'In botany it is.' },
      { modelId: 'demo-blaise', modelName: 'Demo Blaise', response: 'No.' },
    ],
    judge_models: [{ id: 'demo-curie', name: 'Demo Curie' }],
  },
  reply: named(
    'EvaluationEvent',
    () => z.union([JudgeEvent, EvaluationResult, EvaluationFailed]),
    'One event of an evaluation that is told judge by judge.',
  ),
  streams: 'always',
  run: async (deps, request, fields) => {
    const kept = fields.runId === undefined ? undefined : { userId: request.userId, runId: fields.runId };
    const refusal = kept && REFUSALS[await deps.keptRuns.roomForEvaluation(kept)];
    if (refusal) return refusal;
    // The judges begin once the reply has.
    let events: EventWriter | undefined;
    const observe = (event: Judged): void => events?.write(judgeEvent(event));
    const admitted = await openPlaygroundEvaluation(deps, { ...request, fields, observe });
    if (isRefusal(admitted)) return admitted;
    return {
      headers: admitted.headers,
      bridged: true,
      play: async (writer) => {
        events = writer;
        writer.write(await lastEvent(deps, admitted, { fields, kept }));
      },
    };
  },
});

/** Admits an evaluation as `openPlaygroundRun` admits a run, of whose ten in a minute it takes one. */
function openPlaygroundEvaluation(
  deps: DashboardDeps,
  request: UserRequest & { readonly fields: EvaluationFields; readonly observe: ObserveJudges },
): Promise<Admitted<readonly Evaluated[]> | Refusal> {
  const { id: requestId, userId, fields, observe } = request;
  return admitOnPlayground(deps, { ...request, endpoint: 'playground.evaluations' }, async () => {
    const asked = await withUserModels(deps, userId, (catalog) => evaluationOf({ ...deps, catalog }, fields));
    if (isRefusal(asked)) return asked;
    const opened = openEvaluation(asked, { labelKey: deps.labelKey, requestId, observe });
    if (isRefusal(opened)) return opened;
    const open = async () => ({ opened, platformTokens: platformTokensOf(opened) });
    return { models: asked.judges.map(({ model }) => model), open };
  });
}

/** Likely tokens of the calls that begin at once: one that needs more leases more on its way. */
function platformTokensOf({ firstWave }: Opened<unknown>): number {
  const platform = firstWave.filter(({ model }) => model.provider !== 'router');
  return platform.reduce((sum, { promptTokens }) => sum + promptTokens + USUAL_REPLY_TOKENS, 0);
}

async function lastEvent(
  { keptRuns, log }: DashboardDeps,
  admitted: Admitted<readonly Evaluated[]>,
  { fields, kept }: { readonly fields: EvaluationFields; readonly kept: RunRef | undefined },
): Promise<LastEvent> {
  const { request } = admitted;
  const ended = await play(admitted, { live: false, text: () => undefined, status: () => undefined });
  if (ended instanceof Fault) return { type: 'failed', message: ended.publicText };
  const result = evaluationBody(fields, ended);
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
function judgeEvent({ scores, overallScore: overall, ...event }: Judged): Sent<typeof JudgeEvent> {
  return {
    ...event,
    ...(scores && { scores: roundedScores(scores) }),
    ...(overall !== undefined && { overallScore: rounded(overall) }),
  };
}
