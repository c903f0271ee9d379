import { OPTIONAL_FIELDS, type Subscription, type SubscriptionStore } from '../../access/subscription';
import { change, type Documents, REMOVED, type Snapshot } from '../documents';
import { recordAct } from './acts';
import { fieldsOf, recordOf, subscriptionRef } from './refs';

/** The newest statement about each user's subscription, at `subscriptions/{uid}`. */
export function subscriptionRepository(documents: Documents): SubscriptionStore {
  return {
    getSubscription: async (userId) => {
      const [stored] = await documents.get('getSubscription', [subscriptionRef(userId)]);
      return subscriptionOf(stored);
    },

    listSubscriptions: async ({ after, max }) => {
      const page = { collection: 'subscriptions', after: after === undefined ? undefined : { id: after }, max };
      const found = await documents.find('listSubscriptions', page);
      return found.flatMap((snapshot) => subscriptionOf(snapshot) ?? []);
    },

    putSubscription: ({ userId, ...statement }, act) =>
      documents.change('putSubscription', {
        read: [subscriptionRef(userId)],
        decide: ([stored]) => {
          const newest = subscriptionOf(stored);
          if (newest && newest.sourceUpdatedAtMs > statement.sourceUpdatedAtMs) return { result: false };
          return { result: true, writes: [change(stored, statementPatch(statement)), ...recordAct(act)] };
        },
      }),
  };
}

/** The patch of a statement: fields that it leaves out go, that of the budget stays. */
export function statementPatch(statement: Omit<Subscription, 'userId' | 'budgetNanoUsd'>): Record<string, unknown> {
  const gone = OPTIONAL_FIELDS.map((name) => [name.replace(/Ms$/, ''), REMOVED] as const);
  return { ...Object.fromEntries(gone), ...fieldsOf(statement) };
}

/** The subscription of a document; undefined when there is none. */
export function subscriptionOf(snapshot: Snapshot<object>): Subscription | undefined {
  return recordOf<Subscription>(snapshot, 'userId');
}
