import type { KeyRecord } from '../../access/key-store';
import { changeKey, createKey, LIVE_KEYS_MAX, revokeKey, rotateKey } from '../../access/keys';
import { isRefusal, type Refusal, refuse } from '../../errors';
import type { Reply } from '../../http/reply';
import type { AccountRequest, AccountRoute } from '../../http/route';
import { monthOf } from '../../ledger/month';
import { readBody } from '../read-body';
import { type AccountDeps, depsOf } from './account-deps';
import { keyBody } from './key-body';
import { keyEditSchema, newKeySchema, OVERLAPS_MS, rotationSchema } from './key-requests';

const PATH = '/dashboard/keys';
const ONE = `${PATH}/{id}` as const;

/** A user's API keys: listed, made, renamed, given another end or budget, rotated, revoked. A key itself is shown when it is made. */
export function keyRoutes(deps: AccountDeps): AccountRoute[] {
  return [
    { method: 'GET', path: PATH, handle: (request) => list(deps, request) },
    { method: 'POST', path: PATH, recent: true, handle: (request) => create(deps, request) },
    { method: 'PATCH', path: ONE, recent: true, handle: (request) => change(deps, request) },
    { method: 'DELETE', path: ONE, handle: (request) => revoke(deps, request) },
    { method: 'POST', path: `${ONE}/rotate`, recent: true, handle: (request) => rotate(deps, request) },
  ];
}

async function list({ store }: AccountDeps, { userId, startedAtMs }: AccountRequest): Promise<Reply> {
  const [keys, spend] = await Promise.all([
    store.listKeys(userId),
    store.readSpend({ userId, month: monthOf(startedAtMs) }),
  ]);
  return { body: { keys: keys.map((key) => keyBody(key, spend, startedAtMs)), liveMax: LIVE_KEYS_MAX } };
}

async function create(deps: AccountDeps, request: AccountRequest): Promise<Reply> {
  const wanted = await readBody(request, newKeySchema);
  if (isRefusal(wanted)) return wanted;
  const { expiresAt: expiresAtMs, budgetUsd: budgetNanoUsd, name, ...limits } = wanted;
  const { userId } = request;
  const created = await createKey(depsOf(deps, request), {
    ...{ userId, name },
    ...(expiresAtMs !== undefined && { expiresAtMs }),
    ...(budgetNanoUsd !== undefined && { budgetNanoUsd }),
    ...present(limits),
  });
  return isRefusal(created) ? created : { body: newKeyBody(created, request) };
}

async function change(deps: AccountDeps, request: AccountRequest): Promise<Reply> {
  const key = await ownKey(deps, request);
  if (isRefusal(key)) return key;
  const wanted = await readBody(request, keyEditSchema);
  if (isRefusal(wanted)) return wanted;
  const { name, expiresAt: expiresAtMs, budgetUsd: budgetNanoUsd } = wanted;
  const { userId, keyId } = key;
  const edit = { userId, keyId, ...present({ name, expiresAtMs, budgetNanoUsd }) };
  return (await changeKey(depsOf(deps, request), edit)) ?? shown(deps, request);
}

async function revoke(deps: AccountDeps, request: AccountRequest): Promise<Reply> {
  const key = await ownKey(deps, request);
  if (isRefusal(key)) return key;
  return (await revokeKey(depsOf(deps, request), key)) ?? shown(deps, request);
}

async function rotate(deps: AccountDeps, request: AccountRequest): Promise<Reply> {
  const key = await ownKey(deps, request);
  if (isRefusal(key)) return key;
  const wanted = await readBody(request, rotationSchema);
  if (isRefusal(wanted)) return wanted;
  const { userId, keyId } = key;
  const created = await rotateKey(depsOf(deps, request), { userId, keyId, overlapMs: OVERLAPS_MS[wanted.overlap] });
  return isRefusal(created) ? created : { body: newKeyBody(created, request) };
}

/** The key that a path names, if it is the user's: one of somebody else is as good as none. */
async function ownKey({ store }: AccountDeps, { userId, resourceId }: AccountRequest): Promise<KeyRecord | Refusal> {
  const key = (await store.listKeys(userId)).find(({ keyId }) => keyId === resourceId);
  return key ?? refuse('not_found', 'Unknown key');
}

/** The key as it is now. */
async function shown(deps: AccountDeps, request: AccountRequest): Promise<Reply> {
  const key = await ownKey(deps, request);
  if (isRefusal(key)) return key;
  const { userId, startedAtMs } = request;
  return { body: keyBody(key, await deps.store.readSpend({ userId, month: monthOf(startedAtMs) }), startedAtMs) };
}

/** The one reply that ever holds a key. */
function newKeyBody({ key, record }: { readonly key: string; readonly record: KeyRecord }, request: AccountRequest) {
  return { ...keyBody(record, { keysNanoUsd: new Map() }, request.startedAtMs), key };
}

/** An object without the fields that are undefined. */
function present<T extends object>(fields: T): { [Field in keyof T]: Exclude<T[Field], undefined> } {
  const held = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(held) as { [Field in keyof T]: Exclude<T[Field], undefined> };
}
