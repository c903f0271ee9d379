import type { DocumentSnapshot } from '@google-cloud/firestore';
import { type Access, type AccessStore, isUseDue, type KeyRecord } from '../../access/key-store';
import type { FirestoreClient } from './client';
import { apiKeyRef, fieldsOf, keyIdRef, ownKeyRef, rateLogRef, subscriptionRef, unchanged } from './documents';
import { keyRecordOf } from './keys';
import type { Memory } from './memory';
import type { Session } from './session';
import { subscriptionOf } from './subscriptions';

/**
 * The key and its owner's subscription. Once it is known whose key a hash is, key, subscription and the owner's limiter
 * log (for the admission that follows) are one round trip. Neither the key's status nor the subscription is remembered.
 */
export function firestoreAccess(client: FirestoreClient, memory: Memory): AccessStore {
  const { owners, logs } = memory;

  return {
    readAccess: (hashes) =>
      client.run('readAccess', async (session) => {
        const hash = hashes.find((one) => owners.get(one) !== undefined);
        return (hash === undefined ? undefined : await readKnown(session, hash)) ?? readUnknown(session, hashes);
      }),

    rehashKey: async (from, to) => {
      const keyId = await client.decide('rehashKey', (session) => move(session, from, to));
      owners.delete(from);
      return keyId !== undefined;
    },

    noteKeyUse: (hash, usedAtMs) => client.decide('noteKeyUse', (session) => moveLastUse(session, hash, usedAtMs)),
  };

  async function readKnown(session: Session, hash: string): Promise<Access | undefined> {
    const userId = owners.get(hash) ?? '';
    const [stored, ...ofOwner] = await session.read([apiKeyRef(session.db, hash), ...ownerRefs(session, userId)]);
    const key = keyRecordOf(stored);
    if (key?.userId === userId) return accessOf(key, ofOwner);
    owners.delete(hash);
    return undefined;
  }

  async function readUnknown(session: Session, hashes: readonly string[]): Promise<Access | undefined> {
    const snapshots = await session.read(hashes.map((hash) => apiKeyRef(session.db, hash)));
    const key = snapshots.map(keyRecordOf).find((record) => record !== undefined);
    if (!key) return undefined;
    owners.set(key.hash, key.userId);
    return accessOf(key, await session.read(ownerRefs(session, key.userId)));
  }

  function accessOf(key: KeyRecord, [subscription, log]: readonly DocumentSnapshot[]): Access {
    if (log) logs.put(log);
    return { key, subscription: subscriptionOf(subscription) };
  }
}

/** The document of a key is found by its hash, so it moves as a whole. Returns the key's id; undefined: it is not there. */
async function move(session: Session, from: string, to: Pick<KeyRecord, 'hash' | 'pepperVersion'>) {
  const { db } = session;
  const [old, moved] = await session.read([apiKeyRef(db, from), apiKeyRef(db, to.hash)]);
  // Another process was quicker, or our own commit was applied and its answer lost.
  const keyId: string | undefined = (old.exists ? old : moved).get('keyId');
  const fields = old.data();
  if (!fields || keyId === undefined) return keyId;
  await session.commit((writes) => {
    writes.create(moved.ref, { ...fields, ...fieldsOf({ pepperVersion: to.pepperVersion }) });
    writes.delete(old.ref, unchanged(old));
    writes.update(keyIdRef(db, keyId), { hash: to.hash });
  });
  return keyId;
}

/** In the record of the key and in what its owner may read of it. The condition is what keeps it from going back. */
async function moveLastUse(session: Session, hash: string, usedAtMs: number): Promise<void> {
  const [stored] = await session.read([apiKeyRef(session.db, hash)]);
  const key = keyRecordOf(stored);
  if (!key || !isUseDue(key.lastUsedAtMs, usedAtMs)) return;
  const lastUse = { lastUsedAt: new Date(usedAtMs) };
  await session.commit((writes) => {
    writes.update(stored.ref, lastUse, unchanged(stored));
    writes.set(ownKeyRef(session.db, key), lastUse, { merge: true });
  });
}

function ownerRefs({ db }: Session, userId: string) {
  return [subscriptionRef(db, userId), rateLogRef(db, userId, 'api')];
}
