import { isUseDue, judgeInsertion } from '../../access/key-state';
import type {
  AccessStore,
  KeyChange,
  KeyInsertion,
  KeyRecord,
  KeyStore,
  KeyTagStore,
  KeyTerms,
} from '../../access/key-store';
import { Lru } from '../../lib/lru';
import {
  change,
  create,
  type Documents,
  merge,
  type Query,
  REMOVED,
  remove,
  type Snapshot,
  type Write,
} from '../documents';
import { recordAct } from './acts';
import { at, fieldsOf, rateLogRef, recordOf, subscriptionRef } from './refs';
import { subscriptionOf } from './subscriptions';

const OWNERS_MAX = 10_000;

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

/**
 * The key and its owner's subscription. Once it is known whose key a hash is, key, subscription and the owner's limiter
 * log (for the admission that follows) are one round trip. Neither the key's status nor the subscription is remembered.
 */
export function accessRepository(documents: Documents): AccessStore {
  /** Owners of keys by hash; they never change. */
  const owners = new Lru<string, string>(OWNERS_MAX);

  return {
    readAccess: async (hashes) => {
      const known = hashes.find((hash) => owners.get(hash) !== undefined);
      if (known !== undefined) {
        const [subscription, stored] = await readWithSubscription(owners.get(known) ?? '', [known]);
        const key = stored && keyRecordOf(stored);
        if (key) return { key, subscription };
        owners.delete(known);
      }
      const found = await documents.get('readAccess', hashes.map(apiKeyRef));
      const key = found.map(keyRecordOf).find((record) => record !== undefined);
      if (!key) return undefined;
      owners.set(key.hash, key.userId);
      const [subscription] = await readWithSubscription(key.userId, []);
      return { key, subscription };
    },

    rehashKey: async (from, to) => {
      const isThere = await documents.change('rehashKey', {
        read: [apiKeyRef(from), apiKeyRef(to.hash)],
        decide: ([old, moved]) => {
          // Another process was quicker, or our own commit was applied and its answer lost.
          if (!old.fields) return { result: moved.fields !== undefined };
          const keyId = String(old.fields['keyId']);
          const fields = { ...old.fields, ...fieldsOf({ pepperVersion: to.pepperVersion }) };
          const pointer = merge(keyIdRef(keyId), { hash: to.hash });
          return { result: true, writes: [create(moved.ref, fields), remove(old), pointer] };
        },
      });
      owners.delete(from);
      return isThere;
    },

    /** In the record of the key and in what its owner may read of it. The condition keeps it from going back. */
    noteKeyUse: (hash, usedAtMs) =>
      documents.change('noteKeyUse', {
        read: [apiKeyRef(hash)],
        decide: ([stored]) => {
          const key = keyRecordOf(stored);
          if (!key || !isUseDue(key.lastUsedAtMs, usedAtMs)) return { result: undefined };
          const lastUse = { lastUsedAt: usedAtMs };
          const visible = merge(ownKeyRef(key.userId, key.keyId), lastUse);
          return { result: undefined, writes: [change(stored, lastUse), visible] };
        },
      }),
  };

  async function readWithSubscription(userId: string, hashes: readonly string[]) {
    const refs = [subscriptionRef(userId), ...hashes.map(apiKeyRef)] as const;
    const [subscription, stored] = await documents.get('readAccess', refs, [rateLogRef(userId, 'api')]);
    return [subscriptionOf(subscription), stored] as const;
  }
}

/** The key of an `apiKeys` document; undefined when there is none. */
function keyRecordOf(snapshot: Snapshot<object>): KeyRecord | undefined {
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

/** A key without an end says so; limits that it does not have are left out. */
function changedFields({ name, status, expiresAtMs, replacedBy, ...limits }: KeyChange): Record<string, unknown> {
  const kept = Object.entries(limits).map(([limit, value]) => [limit, value === null ? REMOVED : value]);
  return fieldsOf({ name, status, expiresAtMs, replacedBy, ...Object.fromEntries(kept) });
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

/** An API key by its hash: the record that counts. */
const apiKeyRef = (hash: string) => at('apiKeys', hash);

/**
 * From a key's id to its hash. A document of its own rather than an index on `apiKeys`: creating it makes ids unique
 * over all users, which no query can.
 */
const keyIdRef = (keyId: string) => at<{ readonly hash: string; readonly uid: string }>('keyIds', keyId);

/** A key as its owner's browser may read it. */
const ownKeyRef = (userId: string, keyId: string) => at('users', userId, 'keys', keyId);
