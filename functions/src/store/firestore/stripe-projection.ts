import type { Transaction } from '@google-cloud/firestore';
import { newAct } from '../../access/act';
import type { Subscription } from '../../access/subscription';
import type { StripeSettings } from '../../billing/stripe';
import { readStripeSubscription, stripeStatement } from '../../billing/stripe';
import { type Clock, systemClock } from '../../lib/clock';
import { change } from '../documents';
import { recordAct } from '../repositories/acts';
import { subscriptionRef } from '../repositories/refs';
import { statementPatch, subscriptionOf } from '../repositories/subscriptions';
import { createClient, type Session } from './client';
import { applyWrites, pathOf } from './fields';
import { snapshotOf } from './firestore-documents';

/** Brings `subscriptions/{uid}` in line with what a user has at Stripe. */
export interface StripeProjection {
  /** Resolves to what is said from now on, or undefined where nothing had to be changed. */
  project(userId: string): Promise<Subscription | undefined>;
  close(): Promise<void>;
}

const BUDGET_MS = 20_000;

/**
 * Projects a subscription from all documents of the user as they are now, read with what was said before and written in one
 * transaction. So events may come late, twice, or in any order: each does the same.
 */
export function openStripeProjection(
  { customers, tiers }: StripeSettings,
  { projectId, clock = systemClock }: { readonly projectId: string; readonly clock?: Clock },
): StripeProjection {
  const client = createClient(projectId, clock);
  /** A transaction: the reads still hold when the writes are applied, the query included. */
  const attempt = (session: Session, userId: string): Promise<Subscription | undefined> => {
    const project = async (transaction: Transaction) => {
      const { db } = session.database;
      const customer = db.doc(pathOf({ path: [customers, userId] }));
      const { docs } = await transaction.get(customer.collection('subscriptions'));
      const document = snapshotOf(await transaction.get(db.doc(pathOf(subscriptionRef(userId)))));
      const stored = subscriptionOf(document);
      const subscriptions = docs.map((each) => readStripeSubscription(each.id, each.data()));
      const statement = stripeStatement(stored, subscriptions, tiers);
      if (!statement) return undefined;
      // Never older than what it replaces, whatever the clock of that was.
      const sourceUpdatedAtMs = Math.max(clock.nowMs(), stored?.sourceUpdatedAtMs ?? 0);
      const said = { ...statement, sourceUpdatedAtMs };
      const act = actOf(clock, { ...said, userId }, stored);
      applyWrites(session.database, transaction, [change(document, statementPatch(said)), ...recordAct(act)]);
      return { ...said, userId };
    };
    return session.call(({ db }) => db.runTransaction(project, { maxAttempts: 1 }));
  };
  return {
    project: (userId) =>
      client.run('projectStripe', (session) => session.untilDecided(() => attempt(session, userId)), BUDGET_MS),
    close: () => client.close(),
  };
}

/** A change of the plan is an act; that it was renewed is none. */
function actOf(clock: Clock, { userId, tier, status, source }: Subscription, stored: Subscription | undefined) {
  if (stored && stored.tier === tier && stored.status === status && stored.source === source) return undefined;
  const before = stored ? `${stored.tier} ${stored.status}` : null;
  const details = { tier, status, source: source ?? null, before };
  return newAct(clock, { actor: 'system', name: 'subscriptions.set', userId, details });
}
