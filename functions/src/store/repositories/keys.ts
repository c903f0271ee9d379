import {
  judgeInsertion,
  type KeyChange,
  type KeyInsertion,
  type KeyRecord,
  type KeyStore,
  type KeyTagStore,
  type KeyTerms,
} from '../../access/key-store';
import { change, create, type Documents, merge, type Query, REMOVED, type Snapshot, type Write } from '../documents';
import { recordAct } from './acts';
import { apiKeyRef, at, fieldsOf, keyIdRef, ownKeyRef, recordOf } from './refs';

/**
 * Keys, each in three documents that are written together: `apiKeys/{hash}` is the record, `users/{uid}/keys/{keyId}`
 * what its owner may read of it, and `keyIds/{keyId}` leads from the id to the hash.
 */
export function keyRepository(documents: Documents): KeyStore & KeyTagStore {
  return {
    insertKey: (record, terms) =>
      documents.change('insertKey', {
        read: [keyIdRef(record.keyId), apiKeyRef(record.hash), keyCountRef(record.userId)],
        queries: terms ? [keysOf(record.userId)] : [],
        decide: ([pointer, stored, count], { found: [keys = []] }) => {
          // Our own commit, whose answer was lost: both are made of random bytes.
          if (pointer.fields?.hash === record.hash) return { result: 'inserted' };
          if (pointer.fields || stored.fields) throw new Error(`key ${record.keyId} or its hash exists already`);
          if (!terms) return { result: 'inserted', writes: insertion(record) };
          return insertionOnTerms(record, terms, { count, keys });
        },
      }),

    findKey: async (keyId) => {
      const hash = await hashOf(keyId);
      const [stored] = hash === undefined ? [] : await documents.get('findKey', [apiKeyRef(hash)]);
      return stored && keyRecordOf(stored);
    },

    listKeys: async (userId) =>
      newestFirst(await documents.find('listKeys', keysOf(userId))).map(({ record }) => record),

    updateKey: async ({ userId, keyId }, changed, act) => {
      for (;;) {
        const hash = await hashOf(keyId);
        if (hash === undefined) return false;
        const isOwn = await documents.change('updateKey', {
          read: [apiKeyRef(hash)],
          decide: ([stored]) => {
            const record = keyRecordOf(stored);
            if (record?.userId !== userId) return { result: record ? false : undefined };
            const patch = changedFields(changed);
            if (Object.keys(patch).length === 0) return { result: true };
            const writes = [change(stored, patch), merge(ownKeyRef(userId, keyId), patch), ...recordAct(act)];
            return { result: true, writes };
          },
        });
        // Otherwise it was moved to the hash of another pepper just now.
        if (isOwn !== undefined) return isOwn;
      }
    },

    listTagKeys: async () => {
      const found = await documents.find<{ readonly tagKey: string }>('listTagKeys', { collection: 'tagKeys' });
      return found.flatMap(({ fields }) => fields?.tagKey ?? []);
    },
  };

  async function hashOf(keyId: string): Promise<string | undefined> {
    const [pointer] = await documents.get('findKey', [keyIdRef(keyId)]);
    return pointer.fields?.hash;
  }
}

/** The key of an `apiKeys` document; undefined when there is none. */
export function keyRecordOf(snapshot: Snapshot<object>): KeyRecord | undefined {
  return recordOf<KeyRecord>(snapshot, 'hash');
}

function keysOf(userId: string): Query {
  return {
    collection: 'apiKeys',
    where: [['uid', '==', userId]],
    withoutIndex: async ({ get, idsBeside }) => {
      const pointers = await get((await idsBeside(ownKeyRef(userId, 'any'))).map(keyIdRef));
      return get(pointers.flatMap(({ fields }) => (fields ? apiKeyRef(fields.hash) : [])));
    },
  };
}

/** Changes with every key that a user gets: keys are counted one insertion at a time. */
const keyCountRef = (userId: string) => at<{ readonly inserted?: number }>('users', userId, 'private', 'keyCount');

function newestFirst(snapshots: readonly Snapshot[]) {
  const keys = snapshots.flatMap((stored) => {
    const record = keyRecordOf(stored);
    return record ? [{ stored, record }] : [];
  });
  return keys.sort((a, b) => b.record.createdAtMs - a.record.createdAtMs || b.stored.created - a.stored.created);
}

function changedFields({ budgetNanoUsd, ...changed }: KeyChange): Record<string, unknown> {
  if (budgetNanoUsd === undefined) return fieldsOf(changed);
  return { ...fieldsOf(changed), budgetNanoUsd: budgetNanoUsd ?? REMOVED };
}

/** The documents of a new key. */
export function insertion(record: KeyRecord): Write[] {
  const { hash, keyId, userId, pepperVersion, ...visible } = record;
  const fields = fieldsOf(visible);
  return [
    create(apiKeyRef(hash), { ...fields, ...fieldsOf({ keyId, userId, pepperVersion }) }),
    create(ownKeyRef(userId, keyId), fields),
    create(keyIdRef(keyId), { hash, uid: userId }),
  ];
}

/** Changing the count makes a commit fail that was decided without the insertion before it. */
function insertionOnTerms(
  record: KeyRecord,
  terms: KeyTerms,
  stored: { readonly count: Snapshot<{ readonly inserted?: number }>; readonly keys: readonly Snapshot[] },
): { result: KeyInsertion; writes?: Write[] } {
  const keys = newestFirst(stored.keys);
  const result = judgeInsertion(
    keys.map((key) => key.record),
    terms,
  );
  if (result !== 'inserted') return { result };
  const { replaces, tagKey, act } = terms;
  const replaced = keys.find((key) => key.record.keyId === replaces?.keyId);
  const ending = replaces && fieldsOf({ expiresAtMs: replaces.endsAtMs, replacedBy: record.keyId });
  const writes = [
    change(stored.count, { inserted: (stored.count.fields?.inserted ?? 0) + 1 }),
    merge(at('tagKeys', record.pepperVersion), { tagKey }),
    ...recordAct(act),
    ...insertion(record),
  ];
  if (replaced && ending) {
    writes.push(change(replaced.stored, ending), merge(ownKeyRef(record.userId, replaced.record.keyId), ending));
  }
  return { result, writes };
}
