import type { DocumentSnapshot, Timestamp } from 'firebase-admin/firestore';
import type { Subscription, SubscriptionStore } from '../store';
import type { FirestoreClient } from './client';
import { subscriptionRef } from './refs';

const BUDGET_MS = 5_000;

interface SubscriptionFields<Time> {
  readonly tier: string;
  readonly status: string;
  readonly sourceUpdatedAt: Time;
}

/** The newest statement about each user's subscription, at `subscriptions/{uid}`. */
export function firestoreSubscriptions(client: FirestoreClient): SubscriptionStore {
  return {
    getSubscription: (userId) =>
      client.run({ name: 'getSubscription', budgetMs: BUDGET_MS }, async (session) => {
        const [snapshot] = await session.read([subscriptionRef(session.db, userId)]);
        return subscriptionOf(snapshot);
      }),

    putSubscription: (subscription) =>
      client.run({ name: 'putSubscription', budgetMs: BUDGET_MS }, (session) =>
        session.untilDecided(async () => {
          const ref = subscriptionRef(session.db, subscription.userId);
          const [snapshot] = await session.read([ref]);
          const stored = subscriptionOf(snapshot);
          if (stored && stored.sourceUpdatedAtMs > subscription.sourceUpdatedAtMs) return false;
          await session.commit((writes) => {
            const fields = fieldsOf(subscription);
            if (snapshot?.updateTime) writes.update(ref, fields, { lastUpdateTime: snapshot.updateTime });
            else writes.create(ref, fields);
          });
          return true;
        }),
      ),
  };
}

/** The subscription of a document; undefined when there is none. */
export function subscriptionOf(snapshot: DocumentSnapshot | undefined): Subscription | undefined {
  const fields = snapshot?.data() as SubscriptionFields<Timestamp> | undefined;
  if (!snapshot || !fields) return undefined;
  const { tier, status, sourceUpdatedAt } = fields;
  return { userId: snapshot.id, tier, status, sourceUpdatedAtMs: sourceUpdatedAt.toMillis() };
}

function fieldsOf({
  tier,
  status,
  sourceUpdatedAtMs,
}: Subscription): SubscriptionFields<Date> & Record<string, unknown> {
  return { tier, status, sourceUpdatedAt: new Date(sourceUpdatedAtMs) };
}
