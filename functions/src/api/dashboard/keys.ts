import type { KeyRecord } from '../../access/key-store';
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
import { monthOf } from '../../ledger/month';
import type { Sent } from '../../lib/reply-schemas';
import { type DashboardDeps, depsOf } from '../deps';
import { accountRoute } from '../shared/operation';
import { CreatedKey, Key, KeyEdit, KeyList, KeyRotation, keyBody, NewKey, OVERLAPS_MS } from './key-schemas';

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
    summary: 'Rename a key, or give it another end or budget',
    recent: true,
    resource,
    body: KeyEdit,
    example: { name: 'laptop', expiresAt: 'never', budgetUsd: 5 },
    reply: Key,
    run: async (deps, request, { name, expiresAt: expiresAtMs, budgetUsd: budgetNanoUsd }) => {
      const key = await ownKey(deps, request);
      if (isRefusal(key)) return key;
      const { userId, keyId } = key;
      const edit = { userId, keyId, ...present({ name, expiresAtMs, budgetNanoUsd }) };
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
      return newKey(await rotate(depsOf(deps, request), { userId, keyId, overlapMs: OVERLAPS_MS[overlap] }), request);
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
): Reply<Sent<typeof CreatedKey>> {
  if (isRefusal(created)) return created;
  return { body: { ...keyBody(created.record, { keysNanoUsd: new Map() }, startedAtMs), key: created.key } };
}

function present<T extends object>(fields: T): { [Field in keyof T]: Exclude<T[Field], undefined> } {
  const held = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(held) as { [Field in keyof T]: Exclude<T[Field], undefined> };
}
