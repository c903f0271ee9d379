import { accountEvaluationSchema } from '../dashboard/evaluations';
import { playgroundSchema } from '../playground/request';
import { type AccountOperation, bodyOf, idOf, ONE_FAILURES, queryOf } from './account-operation';

const RUN_STREAM =
  'Server-sent events, each with its `seq` as id, up to the event `end`; silences are bridged by comments. A run that is kept goes on when its client leaves.';
const PLAYGROUND_EXAMPLE = {
  model: 'demo-ada',
  messages: [{ role: 'user', content: 'Is a tomato a fruit?' }],
  ai_ensemble: { models: ['demo-ada', 'demo-curie'], rounds: 2, includeReasoning: true },
};

const EVALUATION_EXAMPLE = {
  prompt: 'Is a tomato a fruit?',
  responses: [
    { modelId: 'demo-ada', modelName: 'Demo Ada', response: 'In botany it is.' },
    { modelId: 'demo-blaise', modelName: 'Demo Blaise', response: 'No.' },
  ],
  judge_models: [{ id: 'demo-curie', name: 'Demo Curie' }],
};

/** What the playground asks for: runs, and what judges find. */
export const PLAYGROUND_OPERATIONS: readonly AccountOperation[] = [
  {
    method: 'post',
    path: '/dashboard/runs',
    id: 'beginRun',
    summary: 'Begin a run of the playground, and follow it',
    description: RUN_STREAM,
    body: bodyOf('PlaygroundRequest', playgroundSchema, PLAYGROUND_EXAMPLE),
    reply: 'TraceEvent',
    streams: 'always',
  },
  {
    method: 'get',
    path: '/dashboard/runs',
    id: 'listRuns',
    summary: 'List the runs that are kept, newest first',
    parameters: [
      queryOf('q', { type: 'string', maxLength: 200 }, 'What the beginning of the prompt holds, in any case.'),
      queryOf('before', { type: 'string' }, 'The `next` of the part before.'),
      queryOf('limit', { type: 'integer', minimum: 1, maximum: 100, default: 30 }, 'How many at most.'),
    ],
    reply: 'RunList',
  },
  {
    method: 'delete',
    path: '/dashboard/runs',
    id: 'deleteRuns',
    summary: 'Delete all runs that are kept; those under way are stopped',
    reply: 'RunsDeleted',
  },
  {
    method: 'get',
    path: '/dashboard/runs/{id}',
    id: 'getRun',
    summary: 'Give a run with its request',
    parameters: [idOf('The id of a run.')],
    reply: 'KeptRun',
    failures: ONE_FAILURES,
  },
  {
    method: 'get',
    path: '/dashboard/runs/{id}/evaluations',
    id: 'listEvaluations',
    summary: 'Give what judges have found of a run, oldest first, as much as fits into a reply',
    parameters: [
      idOf('The id of a run.'),
      queryOf(
        'from',
        { type: 'integer', minimum: 0, default: 0 },
        'The place of the first: `next` of the part before.',
      ),
    ],
    reply: 'KeptEvaluations',
    failures: ONE_FAILURES,
  },
  {
    method: 'delete',
    path: '/dashboard/runs/{id}',
    id: 'deleteRun',
    summary: 'Delete a run; one under way is stopped',
    parameters: [idOf('The id of a run.')],
    reply: 'RunsDeleted',
    failures: ONE_FAILURES,
  },
  {
    method: 'get',
    path: '/dashboard/runs/{id}/events',
    id: 'followRun',
    summary: 'Follow a run from any of its events on',
    description: RUN_STREAM,
    parameters: [
      idOf('The id of a run.'),
      {
        name: 'Last-Event-ID',
        in: 'header',
        description: 'The last event that is known.',
        schema: { type: 'string' },
      },
      queryOf('after', { type: 'string' }, 'The same, where no header can be sent.'),
    ],
    reply: 'TraceEvent',
    streams: 'always',
    failures: ONE_FAILURES,
  },
  {
    method: 'post',
    path: '/dashboard/runs/{id}/stop',
    id: 'stopRun',
    summary: 'Stop a run; what it has consumed is booked',
    parameters: [idOf('The id of a run.')],
    reply: 'RunStopped',
    failures: ONE_FAILURES,
  },
  {
    method: 'post',
    path: '/dashboard/runs/plan',
    id: 'planRun',
    summary: 'Tell what a run of the playground would call, cost and take; nothing is called',
    body: bodyOf('PlaygroundRequest', playgroundSchema, PLAYGROUND_EXAMPLE),
    reply: 'Plan',
  },
  {
    method: 'post',
    path: '/dashboard/evaluations',
    id: 'judge',
    summary: 'Score given responses with judge models, told judge by judge',
    description:
      'As `POST /v1/evaluations`, with router models among the judges. It takes one of the ten runs a minute, counts against the monthly grant, and ends when its client leaves. The last event is `result` or `failed`; silences are bridged by comments.',
    body: bodyOf('AccountEvaluation', accountEvaluationSchema, EVALUATION_EXAMPLE),
    reply: 'EvaluationEvent',
    streams: 'always',
  },
];
