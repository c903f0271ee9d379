import type { KeyRecord, KeyStore } from '../store';
import type { FirestoreClient } from './client';
import { apiKeyFields, changedFields, keyRecordOf, ownKeyFields } from './key-document';
import { apiKeyRef, keyIdRef, ownKeyRef } from './refs';
import { ALREADY_EXISTS, rpcCodeOf } from './rpc-error';
import type { Session } from './session';

const BUDGET_MS = 5_000;

/**
 * Keys, each in three documents that are written together: `apiKeys/{hash}` is the record, `users/{uid}/keys/{keyId}`
 * what its owner may read of it, and `keyIds/{keyId}` leads from the id to the hash.
 */
export function firestoreKeys(client: FirestoreClient): KeyStore {
  const run = <T>(name: string, work: (session: Session) => Promise<T>) =>
    client.run({ name, budgetMs: BUDGET_MS }, work);

  return {
    insertKey: (record) =>
      run('insertKey', (session) => session.untilDecided((tries) => insert(session, record, tries))),

    findKey: (keyId) => run('findKey', (session) => find(session, keyId)),

    listKeys: (userId) =>
      run('listKeys', async (session) => {
        const documents = await session.find(session.db.collection('apiKeys').where('uid', '==', userId));
        const newestFirst = documents.sort((a, b) => b.createTime.valueOf().localeCompare(a.createTime.valueOf()));
        const records = newestFirst.flatMap((document) => keyRecordOf(document) ?? []);
        return records.sort((a, b) => b.createdAtMs - a.createdAtMs);
      }),

    updateKey: (keyId, change) =>
      run('updateKey', (session) =>
        session.untilDecided(async () => {
          const record = await find(session, keyId);
          if (!record) return false;
          const fields = changedFields(change);
          if (Object.keys(fields).length === 0) return true;
          await session.commit((writes) => {
            writes.update(apiKeyRef(session.db, record.hash), fields);
            writes.set(ownKeyRef(session.db, record), fields, { merge: true });
          });
          return true;
        }),
      ),
  };
}

/** After an attempt with unknown outcome, this id under this hash is our own key: both are made of random bytes. */
async function insert(session: Session, record: KeyRecord, tries: number): Promise<void> {
  const { db } = session;
  try {
    await session.commit((writes) => {
      writes.create(apiKeyRef(db, record.hash), apiKeyFields(record));
      writes.create(ownKeyRef(db, record), ownKeyFields(record));
      writes.create(keyIdRef(db, record.keyId), { hash: record.hash, uid: record.userId });
    });
  } catch (error) {
    if (rpcCodeOf(error) !== ALREADY_EXISTS) throw error;
    if (tries > 0 && (await find(session, record.keyId))?.hash === record.hash) return;
    throw new Error(`key ${record.keyId} or its hash exists already`, { cause: error });
  }
}

async function find(session: Session, keyId: string): Promise<KeyRecord | undefined> {
  const [pointer] = await session.read([keyIdRef(session.db, keyId)]);
  const hash: unknown = pointer?.get('hash');
  if (typeof hash !== 'string') return undefined;
  const [stored] = await session.read([apiKeyRef(session.db, hash)]);
  return keyRecordOf(stored);
}
