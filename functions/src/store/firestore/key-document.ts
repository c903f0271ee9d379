import type { DocumentSnapshot, Timestamp } from 'firebase-admin/firestore';
import type { KeyRecord, KeyStatus, KeyStore } from '../store';

/** What of a key may change. */
export type KeyChange = Parameters<KeyStore['updateKey']>[1];

/** What owners may read of their keys, at `users/{uid}/keys/{keyId}`. */
interface OwnKeyFields<Time> {
  readonly name: string;
  readonly prefix: string;
  readonly last4: string;
  readonly status: KeyStatus;
  readonly createdAt: Time;
  readonly expiresAt: Time | null;
  readonly lastUsedAt: Time | null;
  readonly replacedBy: string | null;
}

/** The whole record, at `apiKeys/{hash}`. */
interface ApiKeyFields<Time> extends OwnKeyFields<Time> {
  readonly uid: string;
  readonly keyId: string;
  readonly pepperV: string;
}

/** A new key as its owner may read it. */
export function ownKeyFields(record: KeyRecord): OwnKeyFields<Date> {
  const { name, prefix, last4, status, createdAtMs, expiresAtMs, lastUsedAtMs, replacedBy } = record;
  const times = { createdAt: new Date(createdAtMs), expiresAt: dateOf(expiresAtMs), lastUsedAt: dateOf(lastUsedAtMs) };
  return { name: name.toWellFormed(), prefix, last4, status, ...times, replacedBy };
}

/** A new key as it is stored. */
export function apiKeyFields(record: KeyRecord): ApiKeyFields<Date> {
  const { userId: uid, keyId, pepperVersion: pepperV } = record;
  return { uid, keyId, pepperV, ...ownKeyFields(record) };
}

/** The changed fields alone, the same in both documents. */
export function changedFields({ status, expiresAtMs, replacedBy }: KeyChange): Partial<OwnKeyFields<Date>> {
  return {
    ...(status !== undefined && { status }),
    ...(expiresAtMs !== undefined && { expiresAt: dateOf(expiresAtMs) }),
    ...(replacedBy !== undefined && { replacedBy }),
  };
}

/** The key of an `apiKeys` document; undefined when there is none. */
export function keyRecordOf(snapshot: DocumentSnapshot | undefined): KeyRecord | undefined {
  const fields = snapshot?.data() as ApiKeyFields<Timestamp> | undefined;
  if (!snapshot || !fields) return undefined;
  const { uid, keyId, pepperV, createdAt, expiresAt, lastUsedAt, ...same } = fields;
  const { name, prefix, last4, status, replacedBy } = same;
  const identity = { keyId, hash: snapshot.id, pepperVersion: pepperV, userId: uid };
  const times = { createdAtMs: createdAt.toMillis(), expiresAtMs: msOf(expiresAt), lastUsedAtMs: msOf(lastUsedAt) };
  return { ...identity, name, prefix, last4, status, ...times, replacedBy };
}

function dateOf(timeMs: number | null): Date | null {
  return timeMs === null ? null : new Date(timeMs);
}

function msOf(time: Timestamp | null): number | null {
  return time === null ? null : time.toMillis();
}
