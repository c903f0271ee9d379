/*
 * Management of API keys: made, rotated, revoked. How a key looks and is hashed is `guard/api-key`.
 * May import what lies below `ensemble`; must not see HTTP.
 */
import { isRefusal, type Refusal, refuse } from '../errors';
import { generateKey, hashKey, type Pepper, publicPrefix } from '../guard/api-key';
import { isLive, type KeyLimits, type KeyRecord, type KeyStore, limitsOf } from '../guard/key-store';
import { type Clock, newId } from '../lib/clock';
import { limitFlaw } from './key-limits';

/** Keys one user may have alive at a time. */
const LIVE_KEYS_MAX = 20;
const NAME_CHARACTERS_MAX = 100;

export interface KeyDeps {
  readonly store: KeyStore;
  readonly clock: Clock;
  readonly keyPrefix: string;
  /** The first one hashes new keys. */
  readonly peppers: readonly Pepper[];
}

/** A new key. `key` is shown this once and stored nowhere. */
export interface CreatedKey {
  readonly key: string;
  readonly record: KeyRecord;
}

/** A key that is to be made. */
export interface NewKey extends KeyLimits {
  readonly userId: string;
  readonly name: string;
  /** Null or absent: it does not expire. */
  readonly expiresAtMs?: number | null;
}

/** Makes a key for a user; refuses an empty or overlong name, limits that make no sense, and one key too many. */
export async function createKey(deps: KeyDeps, wanted: NewKey): Promise<CreatedKey | Refusal> {
  const { store, clock, keyPrefix, peppers } = deps;
  const { userId, expiresAtMs = null } = wanted;
  const name = wanted.name.trim();
  if (name === '' || name.length > NAME_CHARACTERS_MAX) {
    return refuse('invalid_request', `Invalid name: must have 1 to ${NAME_CHARACTERS_MAX} characters`);
  }
  if (userId.trim() === '') return refuse('invalid_request', 'Invalid user: must not be empty');
  const flaw = limitFlaw(wanted, clock.nowMs());
  if (flaw) return flaw;
  const live = (await store.listKeys(userId)).filter((record) => isLive(record, clock.nowMs()));
  if (live.length >= LIVE_KEYS_MAX) {
    return refuse('invalid_request', `Too many keys: at most ${LIVE_KEYS_MAX} may be live at a time`);
  }
  const [pepper] = peppers;
  if (!pepper) throw new Error('no pepper is configured');
  const key = generateKey(keyPrefix, clock);
  const record: KeyRecord = {
    keyId: `key_${newId(clock)}`,
    hash: hashKey(key, pepper),
    pepperVersion: pepper.version,
    userId,
    name,
    prefix: publicPrefix(keyPrefix),
    last4: key.slice(-4),
    status: 'active',
    createdAtMs: clock.nowMs(),
    expiresAtMs,
    lastUsedAtMs: null,
    replacedBy: null,
    ...limitsOf(wanted),
  };
  await store.insertKey(record);
  return { key, record };
}

/**
 * Replaces a key by a new one with the same name, expiry and limits; the old one works for `overlapMs` more, or until
 * it expires.
 */
export async function rotateKey(deps: KeyDeps, keyId: string, overlapMs: number): Promise<CreatedKey | Refusal> {
  const old = await deps.store.findKey(keyId);
  if (!old || !isLive(old, deps.clock.nowMs())) return refuse('invalid_request', `No live key with id ${keyId}`);
  const { replacedBy } = old;
  if (replacedBy !== null) return refuse('invalid_request', `Key ${keyId} was rotated already: see ${replacedBy}`);
  const created = await createKey(deps, old);
  if (isRefusal(created)) return created;
  const expiresAtMs = Math.min(old.expiresAtMs ?? Number.POSITIVE_INFINITY, deps.clock.nowMs() + overlapMs);
  await deps.store.updateKey(keyId, { expiresAtMs, replacedBy: created.record.keyId });
  return created;
}

/** Ends a key at once and for good. */
export async function revokeKey({ store }: Pick<KeyDeps, 'store'>, keyId: string): Promise<Refusal | undefined> {
  const found = await store.updateKey(keyId, { status: 'revoked' });
  return found ? undefined : refuse('invalid_request', `No key with id ${keyId}`);
}
