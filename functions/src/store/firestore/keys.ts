import type { DocumentSnapshot } from '@google-cloud/firestore';
import {
  judgeInsertion,
  type KeyChange,
  type KeyInsertion,
  type KeyRecord,
  type KeyStore,
  type KeyTagStore,
  type KeyTerms,
} from '../../access/key-store';
import { recordAct } from './acts';
import type { FirestoreClient } from './client';
import { apiKeyRef, fieldsOf, keyCountRef, keyIdRef, ownKeyRef, recordOf, replace, tagKeyRef } from './documents';
import { ALREADY_EXISTS, isIndexMissing, rpcCodeOf } from './rpc-error';
import type { Session, Writes } from './session';

/**
 * Keys, each in three documents that are written together: `apiKeys/{hash}` is the record, `users/{uid}/keys/{keyId}`
 * what its owner may read of it, and `keyIds/{keyId}` leads from the id to the hash.
 */
export function firestoreKeys(client: FirestoreClient): KeyStore & KeyTagStore {
  return {
    insertKey: (record, terms) =>
      client.decide('insertKey', (session, tries) => insert(session, { record, terms, tries })),

    findKey: (keyId) => client.run('findKey', (session) => find(session, keyId)),

    listKeys: (userId) => client.run('listKeys', (session) => list(session, userId)),

    updateKey: ({ userId, keyId }, change, act) =>
      client.decide('updateKey', async (session) => {
        const record = await find(session, keyId);
        if (record?.userId !== userId) return false;
        const fields = changedFields(session, change);
        if (Object.keys(fields).length === 0) return true;
        await session.commit((writes) => {
          writes.update(apiKeyRef(session.db, record.hash), fields);
          writes.set(ownKeyRef(session.db, record), fields, { merge: true });
          recordAct(session, writes, act);
        });
        return true;
      }),

    listTagKeys: () =>
      client.run('listTagKeys', async (session) => {
        const documents = await session.find(session.db.collection('tagKeys'));
        return documents.map((document) => document.get('tagKey'));
      }),
  };
}

/** The key of an `apiKeys` document; undefined when there is none. */
export function keyRecordOf(snapshot: DocumentSnapshot | undefined): KeyRecord | undefined {
  return recordOf<KeyRecord>(snapshot, 'hash');
}

function changedFields({ FieldValue }: Session, { budgetNanoUsd, ...change }: KeyChange): Record<string, unknown> {
  if (budgetNanoUsd === undefined) return fieldsOf(change);
  return { ...fieldsOf(change), budgetNanoUsd: budgetNanoUsd ?? FieldValue.delete() };
}

interface Insertion {
  readonly record: KeyRecord;
  readonly terms: KeyTerms | undefined;
  readonly tries: number;
}

/** After an attempt with unknown outcome, this id under this hash is our own key: both are made of random bytes. */
async function insert(session: Session, { record, terms, tries }: Insertion): Promise<KeyInsertion> {
  const { db } = session;
  const { hash, keyId, userId, pepperVersion, ...visible } = record;
  const fields = fieldsOf(visible);
  if (tries > 0 && (await find(session, keyId))?.hash === hash) return 'inserted';
  const meetTerms = terms && (await decideTerms(session, record, terms));
  if (typeof meetTerms === 'string') return meetTerms;
  try {
    await session.commit((writes) => {
      meetTerms?.(writes);
      recordAct(session, writes, terms?.act);
      writes.create(apiKeyRef(db, hash), { ...fields, ...fieldsOf({ keyId, userId, pepperVersion }) });
      writes.create(ownKeyRef(db, record), fields);
      writes.create(keyIdRef(db, keyId), { hash, uid: userId });
    });
    return 'inserted';
  } catch (error) {
    if (rpcCodeOf(error) !== ALREADY_EXISTS) throw error;
    const [pointer, document] = await session.read([keyIdRef(db, keyId), apiKeyRef(db, hash)]);
    if (!pointer.exists && !document.exists) throw error;
    if (tries > 0 && pointer.get('hash') === hash) return 'inserted';
    throw new Error(`key ${keyId} or its hash exists already`, { cause: error });
  }
}

/**
 * Why a key may not be stored, or the writes that go with it. The count is read before the keys and changes with each
 * insertion, so that a commit fails which was decided without the one before it.
 */
async function decideTerms(session: Session, { userId, keyId, pepperVersion }: KeyRecord, terms: KeyTerms) {
  const { db } = session;
  const [count] = await session.read([keyCountRef(db, userId)]);
  const keys = await list(session, userId);
  const decision = judgeInsertion(keys, terms);
  if (decision !== 'inserted') return decision;
  const { replaces, tagKey } = terms;
  const replaced = keys.find((key) => key.keyId === replaces?.keyId);
  return (writes: Writes): void => {
    replace(writes, count, { inserted: Number(count.get('inserted') ?? 0) + 1 });
    writes.set(tagKeyRef(db, pepperVersion), { tagKey });
    if (!replaces || !replaced) return;
    const ending = fieldsOf({ expiresAtMs: replaces.endsAtMs, replacedBy: keyId });
    writes.update(apiKeyRef(db, replaced.hash), ending);
    writes.set(ownKeyRef(db, replaced), ending, { merge: true });
  };
}

async function list(session: Session, userId: string): Promise<KeyRecord[]> {
  const ofUser = session.db.collection('apiKeys').where('uid', '==', userId);
  const documents: DocumentSnapshot[] = await session.find(ofUser).catch((error: unknown) => {
    if (!isIndexMissing(error)) throw error;
    return findByIds(session, userId);
  });
  const newestFirst = documents.sort((a, b) => createdAt(b).localeCompare(createdAt(a)));
  const records = newestFirst.flatMap((document) => keyRecordOf(document) ?? []);
  return records.sort((a, b) => b.createdAtMs - a.createdAtMs);
}

const createdAt = ({ createTime }: DocumentSnapshot): string => createTime?.valueOf() ?? '';

/** All keys of a user without an index, in three round trips. */
async function findByIds(session: Session, userId: string): Promise<DocumentSnapshot[]> {
  const { db } = session;
  const own = await session.find(ownKeyRef(db, { userId, keyId: 'any' }).parent);
  const pointers = await session.read(own.map(({ id }) => keyIdRef(db, id)));
  return session.read(pointers.map((pointer) => apiKeyRef(db, pointer.get('hash'))));
}

async function find(session: Session, keyId: string): Promise<KeyRecord | undefined> {
  const hash = await findHash(session, keyId);
  if (hash === undefined) return undefined;
  const [stored] = await session.read([apiKeyRef(session.db, hash)]);
  return keyRecordOf(stored);
}

/** The hash of a key; undefined when there is no such key. */
async function findHash(session: Session, keyId: string): Promise<string | undefined> {
  const [pointer] = await session.read([keyIdRef(session.db, keyId)]);
  return pointer?.get('hash');
}
