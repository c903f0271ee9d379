import type { DocumentSnapshot } from '@google-cloud/firestore';
import { OPTIONAL_FIELDS, type Subscription, type SubscriptionStore } from '../../access/subscription';
import { recordAct } from './acts';
import type { FirestoreClient } from './client';
import { fieldsOf, recordOf, replace, subscriptionRef } from './documents';
import type { Session } from './session';

/** However many there are. */
const LIST_BUDGET_MS = 10_000;

/** The newest statement about each user's subscription, at `subscriptions/{uid}`. */
export function firestoreSubscriptions(client: FirestoreClient): SubscriptionStore {
  return {
    getSubscription: (userId) =>
      client.run('getSubscription', async (session) => {
        const [stored] = await session.read([subscriptionRef(session.db, userId)]);
        return subscriptionOf(stored);
      }),

    listSubscriptions: ({ after, max }) =>
      client.run(
        'listSubscriptions',
        async (session) => {
          const all = session.db.collection('subscriptions').orderBy('__name__').limit(max);
          const documents = await session.find(after === undefined ? all : all.startAfter(after));
          return documents.flatMap((document) => subscriptionOf(document) ?? []);
        },
        LIST_BUDGET_MS,
      ),

    putSubscription: ({ userId, ...statement }, act) =>
      client.decide('putSubscription', async (session) => {
        const [stored] = await session.read([subscriptionRef(session.db, userId)]);
        const newest = subscriptionOf(stored);
        if (newest && newest.sourceUpdatedAtMs > statement.sourceUpdatedAtMs) return false;
        await session.commit((writes) => {
          replace(writes, stored, statementFields(session, stored, statement));
          recordAct(session, writes, act);
        });
        return true;
      }),
  };
}

/** What a statement writes: fields that it leaves out go, that of the budget stays. */
export function statementFields(
  { FieldValue }: Session,
  stored: DocumentSnapshot,
  statement: Omit<Subscription, 'userId' | 'budgetNanoUsd'>,
): Record<string, unknown> {
  const fields = fieldsOf(statement);
  const gone = OPTIONAL_FIELDS.map((name) => name.replace(/Ms$/, '')).filter((name) => !(name in fields));
  return stored.exists ? { ...fields, ...Object.fromEntries(gone.map((name) => [name, FieldValue.delete()])) } : fields;
}

/** The subscription of a document; undefined when there is none. */
export function subscriptionOf(snapshot: DocumentSnapshot | undefined): Subscription | undefined {
  return recordOf<Subscription>(snapshot, 'userId');
}
