import { keyEditSchema, newKeySchema, rotationSchema } from '../dashboard/key-requests';
import { routerKeySchema, routerModelsSchema } from '../dashboard/router';
import type { JsonSchema } from '../schema-notes';
import { type AccountOperation, bodyOf, idOf, ONE_FAILURES, WRITE_FAILURES } from './account-operation';
import type { Operation } from './operations';
import { PLAYGROUND_OPERATIONS } from './playground-operations';

const READ_FAILURES = [400, 401, 403, 429, 500, 503];
const RECENT = 'The sign-in must be at most five minutes old, else 403 with the type `recent_login_required`.';

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
      description: RECENT,
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
      path: '/dashboard/study',
      id: 'getLastStudy',
      summary: 'Tell what the last study of quality and cost found here',
      reply: 'StudyReply',
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
    ...PLAYGROUND_OPERATIONS,
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
  ] satisfies readonly AccountOperation[]
).map((operation: AccountOperation) => ({
  failures: operation.body ? WRITE_FAILURES : READ_FAILURES,
  ...operation,
  tag: 'Dashboard',
  signedIn: operation.open !== true,
}));

function monthOf(name: string, fallback: string): JsonSchema {
  const schema = { type: 'string', pattern: '^\\d{4}-(0[1-9]|1[0-2])$' };
  return { name, in: 'query', description: `A UTC month such as 2026-01. Default: ${fallback}.`, schema };
}
