import type { DocumentSnapshot } from 'firebase-admin/firestore';
import { type KeyRecord, type KeyStore, LAST_USED_STEP_MS } from '../../guard/key-store';
import type { FirestoreClient } from './client';
import { apiKeyRef, fieldsOf, keyIdRef, ownKeyRef, recordOf } from './documents';
import { ALREADY_EXISTS, rpcCodeOf } from './rpc-error';
import type { Session } from './session';

/**
 * Keys, each in three documents that are written together: `apiKeys/{hash}` is the record, `users/{uid}/keys/{keyId}`
 * what its owner may read of it, and `keyIds/{keyId}` leads from the id to the hash.
 */
export function firestoreKeys(client: FirestoreClient): KeyStore {
  return {
    insertKey: (record) => client.decide('insertKey', (session, tries) => insert(session, record, tries)),

    findKey: (keyId) => client.run('findKey', (session) => find(session, keyId)),

    listKeys: (userId) =>
      client.run('listKeys', async (session) => {
        const documents = await session.find(session.db.collection('apiKeys').where('uid', '==', userId));
        const newestFirst = documents.sort((a, b) => b.createTime.valueOf().localeCompare(a.createTime.valueOf()));
        const records = newestFirst.flatMap((document) => keyRecordOf(document) ?? []);
        return records.sort((a, b) => b.createdAtMs - a.createdAtMs);
      }),

    updateKey: (keyId, change) =>
      client.decide('updateKey', async (session) => {
        const record = await find(session, keyId);
        if (!record) return false;
        const fields = fieldsOf(change);
        if (Object.keys(fields).length === 0) return true;
        await session.commit((writes) => {
          writes.update(apiKeyRef(session.db, record.hash), fields);
          writes.set(ownKeyRef(session.db, record), fields, { merge: true });
        });
        return true;
      }),
  };
}

/** The key of an `apiKeys` document; undefined when there is none. */
export function keyRecordOf(snapshot: DocumentSnapshot | undefined): KeyRecord | undefined {
  return recordOf<KeyRecord>(snapshot, 'hash');
}

/** Whether a use at `usedAtMs` is to be written: never back, and not for less than five minutes. */
export function isUseDue(lastUsedAtMs: number | null, usedAtMs: number): boolean {
  return lastUsedAtMs === null || usedAtMs - lastUsedAtMs >= LAST_USED_STEP_MS;
}

/** After an attempt with unknown outcome, this id under this hash is our own key: both are made of random bytes. */
async function insert(session: Session, record: KeyRecord, tries: number): Promise<void> {
  const { db } = session;
  const { hash, keyId, userId, pepperVersion, ...visible } = record;
  const fields = fieldsOf(visible);
  try {
    await session.commit((writes) => {
      writes.create(apiKeyRef(db, hash), { ...fields, ...fieldsOf({ keyId, userId, pepperVersion }) });
      writes.create(ownKeyRef(db, record), fields);
      writes.create(keyIdRef(db, keyId), { hash, uid: userId });
    });
  } catch (error) {
    if (rpcCodeOf(error) !== ALREADY_EXISTS) throw error;
    if (tries > 0 && (await find(session, keyId))?.hash === hash) return;
    throw new Error(`key ${keyId} or its hash exists already`, { cause: error });
  }
}

async function find(session: Session, keyId: string): Promise<KeyRecord | undefined> {
  const hash = await findHash(session, keyId);
  if (hash === undefined) return undefined;
  const [stored] = await session.read([apiKeyRef(session.db, hash)]);
  return keyRecordOf(stored);
}

/** The hash of a key; undefined when there is no such key. */
export async function findHash(session: Session, keyId: string): Promise<string | undefined> {
  const [pointer] = await session.read([keyIdRef(session.db, keyId)]);
  return pointer?.get('hash');
}
