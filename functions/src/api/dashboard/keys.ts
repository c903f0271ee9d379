import * as z from 'zod';
import type { Spend } from '../../access/budget';
import { isLive } from '../../access/key-state';
import { ENDPOINT_NAMES, type KeyRecord } from '../../access/key-store';
import {
  changeKey,
  createKey as create,
  LIVE_KEYS_MAX,
  revokeKey as revoke,
  rotateKey as rotate,
} from '../../access/keys';
import { isRefusal, type Refusal, refuse } from '../../errors';
import type { Reply } from '../../http/reply';
import type { AccountRequest } from '../../http/route';
import { originOf } from '../../ledger/ledger-store';
import { monthOf } from '../../ledger/month';
import { isoTime } from '../../lib/clock';
import { amount, count, list, moment, named, oneOf, type Sent, text, texts } from '../../lib/reply-schemas';
import { usd } from '../../lib/usd';
import { type DashboardDeps, depsOf } from '../deps';
import { accountRoute } from '../shared/operation';
import { listOf, objectOf, optional } from '../shared/schemas';

const NANO = 1e9;
const HOUR_MS = 3_600_000;
/** No moment or name is longer; what names may be is a rule of `access/keys`. */
const TEXT_CHARACTERS_MAX = 200;
const NEVER = 'never';
const UNBOUNDED = 'none';

/** Time for which a rotated key goes on working, by the words of a request. */
export const OVERLAPS_MS = { '0': 0, '1h': HOUR_MS, '24h': 24 * HOUR_MS, '7d': 7 * 24 * HOUR_MS } as const;
const OVERLAPS = Object.keys(OVERLAPS_MS) as (keyof typeof OVERLAPS_MS)[];

const name = z
  .string('must be a string')
  .max(TEXT_CHARACTERS_MAX, `must have at most ${TEXT_CHARACTERS_MAX} characters`);
const momentRule = 'must be a moment such as 2026-12-31T00:00:00Z';
const expiry = z
  .string(momentRule)
  .max(TEXT_CHARACTERS_MAX, momentRule)
  .transform((sent, context) => {
    const timeMs = /^\d{4}-\d\d-\d\dT/.test(sent) ? Date.parse(sent) : Number.NaN;
    if (!Number.isNaN(timeMs)) return timeMs;
    context.addIssue(momentRule);
    return z.NEVER;
  })
  .meta({ format: 'date-time' });
const budget = z
  .number('must be a number of US dollars')
  .transform((dollars) => Math.round(dollars * NANO))
  .meta({ exclusiveMinimum: 0, maximum: 1_000_000 });

const modelsRule = 'must be a list of model ids or patterns';
const models = listOf(z.string('must be a model id or pattern'), modelsRule);
const endpoint = z.enum(ENDPOINT_NAMES, `must be one of ${ENDPOINT_NAMES.join(', ')}`);
const endpoints = listOf(endpoint, 'must be a list of endpoints');
const requestsPerMinute = z.int('must be a whole number');

const NewKey = objectOf({
  name: name.describe('What its owner calls it.'),
  expiresAt: optional(expiry, 'When it ends. Absent: never.'),
  budgetUsd: optional(budget, 'What its requests may cost in a UTC month.'),
  models: optional(models, 'The models it may use: ids, in which `*` stands for any characters.'),
  endpoints: optional(endpoints, 'The endpoints it may use.'),
  requestsPerMinute: optional(requestsPerMinute, 'Below the limit of its user.'),
}).meta({ id: 'NewKey' });

const endOrNever = z.union([z.literal(NEVER).transform(() => null), expiry], `${momentRule}, or ${NEVER}`);
const orNone = <Limit extends z.ZodType>(limit: Limit, rule: string) =>
  z.union([z.literal(UNBOUNDED).transform(() => null), limit], `${rule}, or ${UNBOUNDED}`);

const KeyEdit = objectOf({
  name: optional(name, 'The new name.'),
  expiresAt: optional(endOrNever, 'When it ends; `never` takes the end away.'),
  budgetUsd: optional(
    orNone(budget, 'must be a number of US dollars'),
    'What it and the keys it was rotated from and to may cost in a UTC month; `none` takes this and any limit away.',
  ),
  models: optional(orNone(models, modelsRule), 'The models it may use.'),
  endpoints: optional(orNone(endpoints, `must be a list of ${ENDPOINT_NAMES.join(', ')}`), 'The endpoints it may use.'),
  requestsPerMinute: optional(orNone(requestsPerMinute, 'must be a whole number'), 'Below the limit of its user.'),
}).meta({ id: 'KeyEdit' });

const KeyRotation = objectOf({
  overlap: z.enum(OVERLAPS, `must be one of ${OVERLAPS.join(', ')}`).describe('How long the old key goes on working.'),
}).meta({ id: 'KeyRotation' });

const keyFields = () => ({
  id: text('What names it here.'),
  name: text('What its owner calls it.'),
  prefix: text('How it begins.'),
  last4: text('How it ends.'),
  state: oneOf(
    ['active', 'rotating', 'expired', 'inactive', 'revoked'],
    '`rotating`: works until `expiresAt`, and `replacedBy` has taken over.',
  ),
  createdAt: moment('When it was made.'),
  lastUsedAt: moment('When a request last came with it, to within a minute.').nullable(),
  expiresAt: moment('When it ends.').nullable(),
  replacedBy: text('The id of the key that took over.').nullable(),
  models: texts('The models it may use.').optional(),
  endpoints: list(z.enum(ENDPOINT_NAMES), 'The endpoints it may use.').optional(),
  requestsPerMinute: count('Below the limit of its user.').optional(),
  budgetUsd: amount('What it may spend in a month.').optional(),
  usageId: text('Under which months and requests count it: the id of the first of the keys that it goes back to.'),
  spentUsd: amount(
    'By it and the keys it was rotated from and to, this month, with what is set aside for requests under way.',
  ),
});

const Key = named('Key', () => z.object(keyFields()));
const CreatedKey = named('CreatedKey', () =>
  z.object({ ...keyFields(), key: text('The key itself. It is stored nowhere.') }),
);
const KeyList = named('KeyList', () =>
  z.object({
    keys: list(Key, 'Newest first.'),
    liveMax: count('Keys that may be live at a time, beside as many that are `rotating`.'),
  }),
);

/** A key as its owner sees it, with what it has spent this month. */
function keyBody(key: KeyRecord, { keysNanoUsd }: Pick<Spend, 'keysNanoUsd'>, nowMs: number): Sent<typeof Key> {
  const { keyId, name, prefix, last4, replacedBy, models, endpoints, requestsPerMinute, budgetNanoUsd } = key;
  return {
    ...{ id: keyId, name, prefix, last4, replacedBy, models, endpoints, requestsPerMinute },
    state: stateOf(key, nowMs),
    createdAt: isoTime(key.createdAtMs),
    lastUsedAt: isoTime(key.lastUsedAtMs),
    expiresAt: isoTime(key.expiresAtMs),
    budgetUsd: budgetNanoUsd === undefined ? undefined : usd(budgetNanoUsd),
    usageId: originOf(key),
    spentUsd: usd(keysNanoUsd.get(originOf(key)) ?? 0),
  };
}

function stateOf(key: KeyRecord, nowMs: number): Sent<typeof Key>['state'] {
  if (key.status !== 'active') return key.status;
  if (!isLive(key, nowMs)) return 'expired';
  return key.replacedBy === null ? 'active' : 'rotating';
}

const resource = 'The id of a key.';

/** A user's API keys. A key itself is shown when it is made. */
export const KEY_OPERATIONS = [
  accountRoute({
    at: 'GET /dashboard/keys',
    id: 'listKeys',
    summary: 'List the keys, revoked ones as well, newest first',
    reply: KeyList,
    run: async ({ store }, { userId, startedAtMs }) => {
      const month = monthOf(startedAtMs);
      const [keys, spend] = await Promise.all([store.listKeys(userId), store.readSpend({ userId, month })]);
      return { body: { keys: keys.map((key) => keyBody(key, spend, startedAtMs)), liveMax: LIVE_KEYS_MAX } };
    },
  }),
  accountRoute({
    at: 'POST /dashboard/keys',
    id: 'createKey',
    summary: 'Make a key; it is shown in this reply and never again',
    recent: true,
    body: NewKey,
    example: { name: 'ci', expiresAt: '2099-12-31T00:00:00Z', budgetUsd: 5 },
    reply: CreatedKey,
    run: async (deps, request, { name, expiresAt: expiresAtMs, budgetUsd: budgetNanoUsd, sent: _, ...limits }) => {
      const wanted = { userId: request.userId, name, ...present({ expiresAtMs, budgetNanoUsd, ...limits }) };
      return newKey(await create(depsOf(deps, request), wanted), request);
    },
  }),
  accountRoute({
    at: 'PATCH /dashboard/keys/{id}',
    id: 'changeKey',
    summary: 'Rename a key, or give it another end or other limits',
    recent: true,
    resource,
    body: KeyEdit,
    example: { name: 'laptop', expiresAt: 'never', budgetUsd: 5 },
    reply: Key,
    run: async (deps, request, { expiresAt: expiresAtMs, budgetUsd: budgetNanoUsd, sent: _, ...changed }) => {
      const key = await ownKey(deps, request);
      if (isRefusal(key)) return key;
      const { userId, keyId } = key;
      const edit = { userId, keyId, ...present({ expiresAtMs, budgetNanoUsd, ...changed }) };
      return (await changeKey(depsOf(deps, request), edit)) ?? shown(deps, request);
    },
  }),
  accountRoute({
    at: 'DELETE /dashboard/keys/{id}',
    id: 'revokeKey',
    summary: 'End a key at once and for good',
    resource,
    reply: Key,
    run: async (deps, request) => {
      const key = await ownKey(deps, request);
      if (isRefusal(key)) return key;
      return (await revoke(depsOf(deps, request), key)) ?? shown(deps, request);
    },
  }),
  accountRoute({
    at: 'POST /dashboard/keys/{id}/rotate',
    id: 'rotateKey',
    summary: 'Replace a key by a new one, while the old one goes on working for a time',
    recent: true,
    resource,
    body: KeyRotation,
    example: { overlap: '24h' },
    reply: CreatedKey,
    run: async (deps, request, { overlap }) => {
      const key = await ownKey(deps, request);
      if (isRefusal(key)) return key;
      const { userId, keyId } = key;
      // Nothing must fail once there is a key that this reply alone shows.
      const spend = await deps.store.readSpend({ userId, month: monthOf(request.startedAtMs) });
      const rotated = await rotate(depsOf(deps, request), { userId, keyId, overlapMs: OVERLAPS_MS[overlap] });
      return newKey(rotated, request, spend);
    },
  }),
];

/** The key that a path names, if it is the user's: one of another user is unknown. */
async function ownKey({ store }: DashboardDeps, { userId, resourceId }: AccountRequest): Promise<KeyRecord | Refusal> {
  const key = (await store.listKeys(userId)).find(({ keyId }) => keyId === resourceId);
  return key ?? refuse('not_found', 'Unknown key');
}

async function shown(deps: DashboardDeps, request: AccountRequest): Promise<Reply<Sent<typeof Key>>> {
  const key = await ownKey(deps, request);
  if (isRefusal(key)) return key;
  const { userId, startedAtMs } = request;
  return { body: keyBody(key, await deps.store.readSpend({ userId, month: monthOf(startedAtMs) }), startedAtMs) };
}

/** The one reply that ever holds a key. */
function newKey(
  created: { readonly key: string; readonly record: KeyRecord } | Refusal,
  { startedAtMs }: AccountRequest,
  spend: Pick<Spend, 'keysNanoUsd'> = { keysNanoUsd: new Map() },
): Reply<Sent<typeof CreatedKey>> {
  if (isRefusal(created)) return created;
  return { body: { ...keyBody(created.record, spend, startedAtMs), key: created.key } };
}

function present<T extends object>(fields: T): { [Field in keyof T]: Exclude<T[Field], undefined> } {
  const held = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(held) as { [Field in keyof T]: Exclude<T[Field], undefined> };
}
