import { type Refusal, refuse } from '../errors';
import { generateKey, hashKey, type Pepper, publicPrefix } from '../guard/api-key';
import { type Clock, newId } from '../lib/clock';
import type { KeyRecord, KeyStore } from '../store/store';

/** Keys one user may have alive at a time. */
const LIVE_KEYS_MAX = 20;
const NAME_CHARACTERS_MAX = 100;

/** What key management works with. */
export interface KeyDesk {
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

/** Makes a key for a user; refuses an empty or overlong name, and one more than `LIVE_KEYS_MAX`. */
export async function createKey(desk: KeyDesk, owner: { userId: string; name: string }): Promise<CreatedKey | Refusal> {
  const name = owner.name.trim();
  if (name === '' || name.length > NAME_CHARACTERS_MAX) {
    return refuse('invalid_request', `Invalid name: must have 1 to ${NAME_CHARACTERS_MAX} characters`);
  }
  if (owner.userId.trim() === '') return refuse('invalid_request', 'Invalid user: must not be empty');
  const keys = await desk.store.listKeys(owner.userId);
  if (keys.filter((record) => isLive(record, desk.clock.nowMs())).length >= LIVE_KEYS_MAX) {
    return refuse('invalid_request', `Too many keys: at most ${LIVE_KEYS_MAX} may be live at a time`);
  }
  const [pepper] = desk.peppers;
  if (!pepper) throw new Error('no pepper is configured');
  const key = generateKey(desk.keyPrefix, desk.clock);
  const record: KeyRecord = {
    keyId: `key_${newId(desk.clock)}`,
    hash: hashKey(key, pepper),
    pepperVersion: pepper.version,
    userId: owner.userId,
    name,
    prefix: publicPrefix(desk.keyPrefix),
    last4: key.slice(-4),
    status: 'active',
    createdAtMs: desk.clock.nowMs(),
    expiresAtMs: null,
    lastUsedAtMs: null,
    replacedBy: null,
  };
  await desk.store.insertKey(record);
  return { key, record };
}

/** Replaces a key by a new one of the same name; the old one works for `overlapMs` more. */
export async function rotateKey(desk: KeyDesk, keyId: string, overlapMs: number): Promise<CreatedKey | Refusal> {
  const old = await desk.store.findKey(keyId);
  if (!old || !isLive(old, desk.clock.nowMs())) return refuse('invalid_request', `No live key with id ${keyId}`);
  if (old.replacedBy !== null)
    return refuse('invalid_request', `Key ${keyId} was rotated already: see ${old.replacedBy}`);
  const created = await createKey(desk, { userId: old.userId, name: old.name });
  if ('refused' in created) return created;
  const expiresAtMs = desk.clock.nowMs() + overlapMs;
  await desk.store.updateKey(keyId, { expiresAtMs, replacedBy: created.record.keyId });
  return created;
}

/** Ends a key at once and for good. */
export async function revokeKey({ store }: Pick<KeyDesk, 'store'>, keyId: string): Promise<Refusal | undefined> {
  const found = await store.updateKey(keyId, { status: 'revoked' });
  return found ? undefined : refuse('invalid_request', `No key with id ${keyId}`);
}

/** Whether a key still opens the API, as far as the key itself is concerned. */
export function isLive({ status, expiresAtMs }: KeyRecord, nowMs: number): boolean {
  return status === 'active' && (expiresAtMs === null || expiresAtMs > nowMs);
}
