import { Lru } from '../../lib/lru';
import type { Access, AccessStore } from '../store';
import type { FirestoreClient } from './client';
import { keyRecordOf } from './key-document';
import type { KeyUses } from './key-uses';
import type { RecentLogs } from './recent-logs';
import { apiKeyRef, rateLogRef, subscriptionRef } from './refs';
import type { Session } from './session';
import { subscriptionOf } from './subscriptions';

const BUDGET_MS = 5_000;
const OWNERS_MAX = 10_000;

/** What is kept for later steps of the same request. */
export interface AccessMemory {
  readonly logs: RecentLogs;
  readonly uses: KeyUses;
}

/**
 * The key and its owner's subscription. Whose key a hash is never changes and is remembered; then key, subscription and
 * the owner's limiter log (for the admission that follows) are one round trip of three documents. Neither the key's
 * status nor the subscription is remembered.
 */
export function firestoreAccess(client: FirestoreClient, { logs, uses }: AccessMemory): AccessStore {
  const owners = new Lru<string, string>(OWNERS_MAX);

  return {
    readAccess: (hashes) =>
      client.run({ name: 'readAccess', budgetMs: BUDGET_MS }, async (session) => {
        const hash = hashes.find((one) => owners.get(one) !== undefined);
        return (hash === undefined ? undefined : await readKnown(session, hash)) ?? readUnknown(session, hashes);
      }),
  };

  async function readKnown(session: Session, hash: string): Promise<Access | undefined> {
    const userId = owners.get(hash) ?? '';
    const { db } = session;
    const refs = [apiKeyRef(db, hash), subscriptionRef(db, userId), rateLogRef(db, userId, 'api')];
    const [keySnapshot, subscription, log] = await session.read(refs);
    const key = keyRecordOf(keySnapshot);
    if (key?.userId !== userId) {
      owners.delete(hash);
      return undefined;
    }
    uses.note(key);
    if (log) logs.put(log);
    return { key, subscription: subscriptionOf(subscription) };
  }

  async function readUnknown(session: Session, hashes: readonly string[]): Promise<Access | undefined> {
    const { db } = session;
    const snapshots = await session.read(hashes.map((hash) => apiKeyRef(db, hash)));
    const key = snapshots.map(keyRecordOf).find((record) => record !== undefined);
    if (!key) return undefined;
    const { userId } = key;
    const [subscription, log] = await session.read([subscriptionRef(db, userId), rateLogRef(db, userId, 'api')]);
    owners.set(key.hash, userId);
    uses.note(key);
    if (log) logs.put(log);
    return { key, subscription: subscriptionOf(subscription) };
  }
}
