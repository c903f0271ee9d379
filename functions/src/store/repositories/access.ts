import { type AccessStore, isUseDue } from '../../access/key-store';
import { Lru } from '../../lib/lru';
import { change, create, type Documents, merge, remove } from '../documents';
import { keyRecordOf } from './keys';
import { apiKeyRef, fieldsOf, keyIdRef, ownKeyRef, rateLogRef, subscriptionRef } from './refs';
import { subscriptionOf } from './subscriptions';

const OWNERS_MAX = 10_000;

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
