import { isRefusal, type Refusal, refuse } from '../errors';
import { originOf } from '../ledger/ledger-store';
import { type Clock, isoTime, newId } from '../lib/clock';
import { PLAIN_TEXT, PLAIN_TEXT_RULE } from '../lib/foreign-text';
import { type Act, type Actor, newAct } from './act';
import { generateKey, hashKey, publicPrefix } from './api-key';
import { limitFlaw } from './key-limits';
import { isLive, limitsOf } from './key-state';
import type { KeyLimits, KeyRecord, KeyStore, LimitChange, OwnKey } from './key-store';
import type { Pepper } from './peppers';
import { API_LIMIT } from './rate-limit';
import { isActivePro, type SubscriptionStore } from './subscription';

/** Keys one user may have alive at a time, beside as many that were rotated and work on. */
export const LIVE_KEYS_MAX = 20;
const NAME_CHARACTERS_MAX = 100;
const USER_CHARACTERS_MAX = 200;

export interface KeyDeps {
  readonly store: KeyStore & Pick<SubscriptionStore, 'getSubscription'>;
  readonly clock: Clock;
  readonly keyPrefix: string;
  /** The first one hashes new keys. */
  readonly peppers: readonly Pepper[];
  /** Requests of a user in a minute, which no key can exceed; default: those of the contract. */
  readonly requestsPerMinute?: number;
  /** Manager of keys here; default: their user. */
  readonly actor?: Actor;
  readonly network?: string;
}

export interface CreatedKey {
  readonly key: string;
  readonly record: KeyRecord;
}

export interface NewKey extends KeyLimits {
  readonly userId: string;
  readonly name: string;
  /** Null or absent: it does not expire. */
  readonly expiresAtMs?: number | null;
}

export interface KeyEdit extends OwnKey, LimitChange {
  readonly name?: string;
  /** Null: it is not to expire any more. */
  readonly expiresAtMs?: number | null;
}

export interface Rotation extends OwnKey {
  readonly overlapMs: number;
}

/** Makes a key for a user of Pro; refuses what `limitFlaw` names, and one key too many however many are made at once. */
export async function createKey(deps: KeyDeps, wanted: NewKey): Promise<CreatedKey | Refusal> {
  const flaw = flawOf(deps, wanted);
  if (flaw) return flaw;
  const issued = await issueKey(deps, wanted);
  if (isRefusal(issued)) return issued;
  const { record } = issued;
  const { name, expiresAtMs } = record;
  const details = detailsOf({ name, expiresAtMs, ...NO_LIMITS, ...limitsOf(record) });
  const act = actOf(deps, record, { name: 'keys.create', details });
  const terms = { liveMax: LIVE_KEYS_MAX, nowMs: record.createdAtMs, tagKey: newestPepper(deps).tagKey, act };
  return (await deps.store.insertKey(record, terms)) === 'inserted' ? issued : tooManyKeys();
}

function flawOf({ clock, requestsPerMinute = API_LIMIT.max }: KeyDeps, wanted: NewKey): Refusal | undefined {
  const textFlaw = nameFlaw('name', wanted.name.trim(), NAME_CHARACTERS_MAX) ?? userFlaw(wanted.userId);
  return textFlaw ?? limitFlaw(wanted, { nowMs: clock.nowMs(), requestsPerMinuteMax: requestsPerMinute });
}

/** Replaces a user's key by one with the same name, expiry and limits; the old one works for `overlapMs` more. */
export async function rotateKey(deps: KeyDeps, { userId, keyId, overlapMs }: Rotation): Promise<CreatedKey | Refusal> {
  const { store, clock } = deps;
  const old = (await store.listKeys(userId)).find((key) => key.keyId === keyId);
  const notFound = refuse('invalid_request', `No live key with id ${keyId}`);
  if (!old || !isLive(old, clock.nowMs())) return notFound;
  if (old.replacedBy !== null) {
    return refuse('invalid_request', `Key ${keyId} was rotated already: see ${old.replacedBy}`);
  }
  const created = await issueKey(deps, { ...old, originId: originOf(old) });
  if (isRefusal(created)) return created;
  const nowMs = created.record.createdAtMs;
  const endsAtMs = Math.min(old.expiresAtMs ?? Number.POSITIVE_INFINITY, nowMs + overlapMs);
  const details = { successor: created.record.keyId, worksUntil: isoTime(endsAtMs) };
  const act = actOf(deps, old, { name: 'keys.rotate', details });
  const terms = {
    liveMax: LIVE_KEYS_MAX,
    nowMs,
    tagKey: newestPepper(deps).tagKey,
    replaces: { keyId, endsAtMs },
    act,
  };
  const outcome = await store.insertKey(created.record, terms);
  if (outcome === 'gone') return notFound;
  if (outcome === 'full')
    return tooManyKeys(' beside as many that were rotated and work on: rotate it without overlap');
  return created;
}

/** Renames a user's live key, or changes its limits or its expiry; one that was rotated ends when its rotation said. */
export async function changeKey(deps: KeyDeps, { userId, keyId, ...wanted }: KeyEdit): Promise<Refusal | undefined> {
  const { store, clock, requestsPerMinute = API_LIMIT.max } = deps;
  const live = (await store.listKeys(userId)).filter((each) => isLive(each, clock.nowMs()));
  const key = live.find((each) => each.keyId === keyId);
  if (!key) return refuse('not_found', `No live key with id ${keyId}`);
  if (wanted.expiresAtMs !== undefined && key.replacedBy !== null) {
    return refuse('invalid_request', `Key ${keyId} was rotated and ends by itself: revoke it to end it now`);
  }
  const name = wanted.name?.trim();
  const flaw =
    (name === undefined ? undefined : nameFlaw('name', name, NAME_CHARACTERS_MAX)) ??
    limitFlaw(wanted, { nowMs: clock.nowMs(), requestsPerMinuteMax: requestsPerMinute });
  if (flaw) return flaw;
  const { budgetNanoUsd } = wanted;
  if (budgetNanoUsd !== undefined) {
    const others = live.filter((each) => each !== key && originOf(each) === originOf(key));
    await Promise.all(others.map((each) => store.updateKey(each, { budgetNanoUsd })));
  }
  const change = { ...wanted, ...(name !== undefined && { name }) };
  const act = actOf(deps, key, { name: 'keys.change', details: detailsOf(change) });
  return (await store.updateKey(key, change, act)) ? undefined : refuse('not_found', `No live key with id ${keyId}`);
}

export async function revokeKey(
  deps: Pick<KeyDeps, 'store' | 'clock' | 'actor' | 'network'>,
  key: OwnKey,
): Promise<Refusal | undefined> {
  const act = actOf(deps, key, { name: 'keys.revoke', details: {} });
  const found = await deps.store.updateKey(key, { status: 'revoked' }, act);
  if (!found) return refuse('invalid_request', `No key with id ${key.keyId}`);
  return undefined;
}

/** Refusal (400) of the id of a user, which the operator chooses; undefined where nothing is wrong. */
export function userFlaw(userId: string): Refusal | undefined {
  return nameFlaw('user', userId, USER_CHARACTERS_MAX);
}

function nameFlaw(field: string, text: string, charactersMax: number): Refusal | undefined {
  if (text.trim() === '' || text.length > charactersMax) {
    return refuse('invalid_request', `Invalid ${field}: must have 1 to ${charactersMax} characters`);
  }
  return PLAIN_TEXT.test(text) ? undefined : refuse('invalid_request', `Invalid ${field}: ${PLAIN_TEXT_RULE}`);
}

function actOf(
  { clock, actor = 'user', network }: Pick<KeyDeps, 'clock' | 'actor' | 'network'>,
  { userId, keyId }: OwnKey,
  done: Pick<Act, 'name' | 'details'>,
): Act {
  return newAct(clock, { actor, ...(network !== undefined && { network }), userId, target: keyId, ...done });
}

const NO_LIMITS = { models: null, endpoints: null, requestsPerMinute: null, budgetNanoUsd: null };

/** Name, end and limits of a key, as far as they are there: nothing by which it could be guessed. */
function detailsOf({ expiresAtMs, models, endpoints, ...told }: Omit<KeyEdit, keyof OwnKey>): Act['details'] {
  return {
    ...told,
    ...(expiresAtMs !== undefined && { expiresAt: isoTime(expiresAtMs) }),
    ...(models !== undefined && { models: models?.join(',') ?? null }),
    ...(endpoints !== undefined && { endpoints: endpoints?.join(',') ?? null }),
  };
}

async function issueKey(deps: KeyDeps, wanted: NewKey & Pick<KeyRecord, 'originId'>): Promise<CreatedKey | Refusal> {
  const { store, clock, keyPrefix } = deps;
  const { userId, expiresAtMs = null, originId } = wanted;
  if (!isActivePro(await store.getSubscription(userId))) return refuse('no_subscription');
  const pepper = newestPepper(deps);
  const key = generateKey(keyPrefix, clock, pepper);
  const record: KeyRecord = {
    keyId: `key_${newId(clock)}`,
    hash: hashKey(key, pepper),
    pepperVersion: pepper.version,
    userId,
    name: wanted.name.trim(),
    prefix: publicPrefix(keyPrefix),
    last4: key.slice(-4),
    status: 'active',
    createdAtMs: clock.nowMs(),
    expiresAtMs,
    lastUsedAtMs: null,
    replacedBy: null,
    ...(originId !== undefined && { originId }),
    ...limitsOf(wanted),
  };
  return { key, record };
}

function newestPepper({ peppers: [newest] }: KeyDeps): Pepper {
  if (!newest) throw new Error('no pepper is configured');
  return newest;
}

function tooManyKeys(more = ''): Refusal {
  return refuse('invalid_request', `Too many keys: at most ${LIVE_KEYS_MAX} may be live at a time${more}`);
}
