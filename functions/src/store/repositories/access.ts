import { type Access, type AccessStore, isUseDue } from '../../access/key-store';
import { Lru } from '../../lib/lru';
import { change, create, type Documents, merge, remove, type Snapshot } from '../documents';
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
      for (const hash of hashes) {
        const userId = owners.get(hash);
        if (userId === undefined) continue;
        const access = await readKnown(hash, userId);
        if (access) return access;
      }
      return readUnknown(hashes);
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

  async function readKnown(hash: string, userId: string): Promise<Access | undefined> {
    const refs = [apiKeyRef(hash), subscriptionRef(userId)] as const;
    const [stored, subscription] = await documents.get('readAccess', refs, {
      inAdvance: [rateLogRef(userId, 'api')],
    });
    const access = accessOf(stored, subscription);
    if (access?.key.userId === userId) return access;
    owners.delete(hash);
    return undefined;
  }

  async function readUnknown(hashes: readonly string[]): Promise<Access | undefined> {
    const found = await documents.get('readAccess', hashes.map(apiKeyRef));
    const stored = found.find(({ fields }) => fields !== undefined);
    const key = stored && keyRecordOf(stored);
    if (!key) return undefined;
    owners.set(key.hash, key.userId);
    const refs = [subscriptionRef(key.userId)] as const;
    const [subscription] = await documents.get('readAccess', refs, {
      inAdvance: [rateLogRef(key.userId, 'api')],
    });
    return { key, subscription: subscriptionOf(subscription) };
  }

  function accessOf(stored: Snapshot, subscription: Snapshot): Access | undefined {
    const key = keyRecordOf(stored);
    return key && { key, subscription: subscriptionOf(subscription) };
  }
}
