import { type Refusal, refuse } from '../errors';
import type { Act } from './act';

export interface Subscription {
  readonly userId: string;
  readonly tier: string;
  readonly status: string;
  /** Time of the source's statement; an older statement never overwrites a newer one. */
  readonly sourceUpdatedAtMs: number;
  /** Origin of the statement: a billing system by name; absent: an operator, or another writer of statements. */
  readonly source?: string;
  readonly renewsAtMs?: number;
  /** Time of its end, past or future. */
  readonly endsAtMs?: number;
  readonly trialEndsAtMs?: number;
  /** Budget of the user for a UTC month; kept whatever else changes, and set apart (`BudgetStore`). */
  readonly budgetNanoUsd?: number;
}

/** Fields that a statement about a subscription may leave out; a field that is left out is removed. */
export const OPTIONAL_FIELDS = ['source', 'renewsAtMs', 'endsAtMs', 'trialEndsAtMs'] as const;

/** Subscriptions to list: those of the users behind `after`, or from the first one on. */
export interface SubscriptionQuery {
  readonly after?: string;
  readonly max: number;
}

export interface SubscriptionStore {
  getSubscription(userId: string): Promise<Subscription | undefined>;
  /** In the order of the bytes of user ids. */
  listSubscriptions(query: SubscriptionQuery): Promise<Subscription[]>;
  /** Records the act with it; resolves false, doing neither, when a newer statement is already stored. */
  putSubscription(subscription: Omit<Subscription, 'budgetNanoUsd'>, act?: Act): Promise<boolean>;
}

/** True for a subscription that opens the API: tier `pro`, status `active` or `trialing`. */
export function isActivePro(subscription: Subscription | undefined): boolean {
  return subscription !== undefined && isActive(subscription, ['pro']);
}

/** A user's subscription when it opens what bring your own key has, as Pro does too; a 403 otherwise. Never cached. */
export async function requireByok(
  store: Pick<SubscriptionStore, 'getSubscription'>,
  userId: string,
): Promise<Subscription | Refusal> {
  const subscription = await store.getSubscription(userId);
  if (subscription && isActive(subscription, ['byok', 'pro'])) return subscription;
  return refuse('no_subscription', 'This needs an active bring-your-own-key or Pro subscription.');
}

function isActive({ tier, status }: Subscription, tiers: readonly string[]): boolean {
  return (status === 'active' || status === 'trialing') && tiers.includes(tier);
}
