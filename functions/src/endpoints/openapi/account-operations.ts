import type * as z from 'zod';
import { accountEvaluationSchema } from '../dashboard/evaluations';
import { keyEditSchema, newKeySchema, rotationSchema } from '../dashboard/key-requests';
import { routerKeySchema, routerModelsSchema } from '../dashboard/router';
import { playgroundSchema } from '../playground/request';
import type { JsonSchema } from '../schema-notes';
import type { Examples } from './examples';
import type { Operation } from './operations';

const READ_FAILURES = [400, 401, 403, 429, 500, 503];
const WRITE_FAILURES = [400, 401, 403, 408, 413, 415, 429, 500, 503];
const ONE_FAILURES = [...WRITE_FAILURES, 404];
const RECENT = 'The sign-in must be at most five minutes old, else 403 with the type `recent_login_required`.';

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

type Account = Omit<Operation, 'tag' | 'signedIn' | 'failures'> & { readonly failures?: readonly number[] };

/** What the dashboard's page asks for its user; where the dashboard is off, none of it is there. */
export const ACCOUNT_OPERATIONS: readonly Operation[] = (
  [
    {
      method: 'get',
      path: '/dashboard/config.json',
      id: 'getDashboardConfig',
      summary: 'Tell the page how its users sign in, and where programs reach the API',
      open: true,
      reply: 'DashboardConfig',
      failures: [400, 503],
    },
    {
      method: 'get',
      path: '/dashboard/keys',
      id: 'listKeys',
      summary: 'List the keys, revoked ones as well, newest first',
      reply: 'KeyList',
    },
    {
      method: 'post',
      path: '/dashboard/keys',
      id: 'createKey',
      summary: 'Make a key; it is shown in this reply and never again',
      description: RECENT,
      body: bodyOf('NewKey', newKeySchema, { name: 'ci', expiresAt: '2099-12-31T00:00:00Z', budgetUsd: 5 }),
      reply: 'CreatedKey',
    },
    {
      method: 'patch',
      path: '/dashboard/keys/{id}',
      id: 'changeKey',
      summary: 'Rename a key, or give it another end or budget',
      parameters: [idOf('The id of a key.')],
      body: bodyOf('KeyEdit', keyEditSchema, { name: 'laptop', expiresAt: 'never', budgetUsd: 5 }),
      reply: 'Key',
      failures: ONE_FAILURES,
    },
    {
      method: 'delete',
      path: '/dashboard/keys/{id}',
      id: 'revokeKey',
      summary: 'End a key at once and for good',
      parameters: [idOf('The id of a key.')],
      reply: 'Key',
      failures: ONE_FAILURES,
    },
    {
      method: 'post',
      path: '/dashboard/keys/{id}/rotate',
      id: 'rotateKey',
      summary: 'Replace a key by a new one, while the old one goes on working for a time',
      description: RECENT,
      parameters: [idOf('The id of a key.')],
      body: bodyOf('KeyRotation', rotationSchema, { overlap: '24h' }),
      reply: 'CreatedKey',
      failures: ONE_FAILURES,
    },
    {
      method: 'get',
      path: '/dashboard/plan',
      id: 'getPlan',
      summary: 'Tell the plan, what it allows, and what of it is used this month',
      reply: 'AccountPlan',
    },
    {
      method: 'get',
      path: '/dashboard/usage',
      id: 'listMonths',
      summary: 'Report tokens and cost of up to 24 months, each by model and by key',
      parameters: [monthOf('from', 'five months before `to`'), monthOf('to', 'this month')],
      reply: 'MonthList',
    },
    {
      method: 'get',
      path: '/dashboard/router-key',
      id: 'getRouterKey',
      summary: 'Tell whether a key of the model router is saved, and how it ends',
      reply: 'RouterKey',
    },
    {
      method: 'put',
      path: '/dashboard/router-key',
      id: 'saveRouterKey',
      summary: 'Save a key of the model router in the place of the one before',
      description: RECENT,
      body: bodyOf('NewRouterKey', routerKeySchema, { key: 'sk-or-v1-0123456789abcdef' }),
      reply: 'RouterKey',
    },
    {
      method: 'delete',
      path: '/dashboard/router-key',
      id: 'removeRouterKey',
      summary: 'Remove it',
      description: RECENT,
      reply: 'RouterKey',
      failures: ONE_FAILURES,
    },
    {
      method: 'get',
      path: '/dashboard/router-models',
      id: 'listRouterModels',
      summary: 'List the models of the router that were added',
      reply: 'RouterModelList',
    },
    {
      method: 'post',
      path: '/dashboard/router-models',
      id: 'addRouterModels',
      summary: 'Add models of the router',
      body: bodyOf('NewRouterModels', routerModelsSchema, { slugs: ['owl/eagle-1'] }),
      reply: 'RouterModelList',
    },
    {
      method: 'delete',
      path: '/dashboard/router-models/{id}',
      id: 'removeRouterModel',
      summary: 'Remove one of them',
      parameters: [idOf('A slug, `owner/model`; its slash may be encoded or not.')],
      reply: 'RouterModelList',
      failures: ONE_FAILURES,
    },
    {
      method: 'get',
      path: '/dashboard/router-catalog',
      id: 'searchRouterModels',
      summary: "Search in the router's own list",
      parameters: [
        {
          name: 'q',
          in: 'query',
          description: 'Words that the slug or the name holds, at most 200 characters. Default: none, so any model.',
          schema: { type: 'string', maxLength: 200 },
        },
      ],
      reply: 'RouterCatalog',
    },
    {
      method: 'get',
      path: '/dashboard/models',
      id: 'listPlatformModels',
      summary: 'List the models that the deployment offers, without the virtual ids',
      reply: 'PlatformModels',
    },
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
      summary: 'Give a run with its request, its trace and what judges have found',
      parameters: [idOf('The id of a run.')],
      reply: 'KeptRun',
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
    {
      method: 'get',
      path: '/dashboard/audit',
      id: 'listActs',
      summary: 'List the last 200 acts on the account, newest first',
      reply: 'ActList',
    },
    {
      method: 'post',
      path: '/dashboard/sign-out-everywhere',
      id: 'signOutEverywhere',
      summary: 'End all sessions of the user',
      description:
        'ID tokens that were given out stay good for an hour at most, but not for what needs a recent sign-in. Not where nobody signs in.',
      reply: 'SessionsEnded',
    },
  ] satisfies readonly Account[]
).map((operation: Account) => ({
  failures: operation.body ? WRITE_FAILURES : READ_FAILURES,
  ...operation,
  tag: 'Dashboard',
  signedIn: operation.open !== true,
}));

function bodyOf(name: string, schema: z.ZodType, value: object): NonNullable<Operation['body']> {
  return { name, schema, examples: { usual: { summary: 'As usual', value } } satisfies Examples };
}

function idOf(description: string): JsonSchema {
  return { name: 'id', in: 'path', required: true, description, schema: { type: 'string' } };
}

function queryOf(name: string, schema: JsonSchema, description: string): JsonSchema {
  return { name, in: 'query', description, schema };
}

function monthOf(name: string, fallback: string): JsonSchema {
  const schema = { type: 'string', pattern: '^\\d{4}-(0[1-9]|1[0-2])$' };
  return { name, in: 'query', description: `A UTC month such as 2026-01. Default: ${fallback}.`, schema };
}
