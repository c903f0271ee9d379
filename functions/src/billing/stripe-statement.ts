import type { Subscription } from '../access/subscription';
import type { StripeSubscription } from './stripe-subscription';

/** In `source` of subscriptions that Stripe speaks of. */
const STRIPE = 'stripe';
/** Tiers that open anything, the better one first. */
const TIERS = ['pro', 'byok'] as const;
const RANKS: ReadonlyMap<string, number> = new Map(TIERS.toReversed().map((tier, index) => [tier, index + 1]));
/** Tier of a subscription that neither the setting nor its role places higher. */
const OTHER_TIER = 'free';

/** Tiers by the id of a price or product. */
export type StripeTiers = ReadonlyMap<string, string>;

/** Statement about a user, without its time. */
export type StripeStatement = Omit<Subscription, 'userId' | 'sourceUpdatedAtMs' | 'budgetNanoUsd'>;

/** Subscriptions of a user at Stripe, in any order, and the stored one. */
export interface AtStripe {
  readonly stored: Subscription | undefined;
  readonly subscriptions: readonly StripeSubscription[];
  readonly tiers: StripeTiers;
}

/**
 * Statement to be stored of a user: by the subscription that opens most, the newest of several that open as much. Undefined
 * where nothing is to be changed: what an operator has said yields only to a subscription that opens more, so Stripe
 * takes away nothing that it did not give.
 */
export function stripeStatement({ stored, subscriptions, tiers }: AtStripe): StripeStatement | undefined {
  const best = subscriptions
    .map((subscription) => statementOf(subscription, tiers))
    .sort((a, b) => rankOf(b.said) - rankOf(a.said) || b.createdAtMs - a.createdAtMs || (a.id < b.id ? -1 : 1))
    .at(0)?.said;
  const isOfStripe = stored?.source === STRIPE;
  // All of them were deleted.
  if (!best) return isOfStripe && stored.status !== 'canceled' ? ended(stored) : undefined;
  if (stored && !isOfStripe && rankOf(best) <= rankOf(stored)) return undefined;
  return stored && isSame(stored, best) ? undefined : best;
}

function statementOf(subscription: StripeSubscription, tiers: StripeTiers) {
  const { id, createdAtMs, status, periodEndsAtMs, endsWithPeriod, trialEndsAtMs } = subscription;
  const endsAtMs = subscription.endsAtMs ?? (endsWithPeriod ? periodEndsAtMs : undefined);
  const isGoingOn = ['active', 'trialing', 'past_due'].includes(status) && endsAtMs === undefined;
  const said: StripeStatement = {
    tier: tierOf(subscription, tiers),
    status,
    source: STRIPE,
    ...(isGoingOn && periodEndsAtMs !== undefined && { renewsAtMs: periodEndsAtMs }),
    ...(endsAtMs !== undefined && { endsAtMs }),
    ...(status === 'trialing' && trialEndsAtMs !== undefined && { trialEndsAtMs }),
  };
  return { id, createdAtMs, said };
}

/** Tier that the setting gives any of its prices and products, else its role where that is the name of a tier. */
function tierOf({ subscribedTo, role }: StripeSubscription, tiers: StripeTiers): string {
  const named = subscribedTo.map((id) => tiers.get(id));
  const byName = TIERS.find((tier) => named.includes(tier)) ?? named.find((tier) => tier !== undefined);
  return byName ?? TIERS.find((tier) => tier === role) ?? OTHER_TIER;
}

/** Rank by what a tier opens. */
function rankOf({ tier, status }: Pick<Subscription, 'tier' | 'status'>): number {
  const isOpen = status === 'active' || status === 'trialing';
  return isOpen ? (RANKS.get(tier) ?? 0) : 0;
}

function ended({ tier }: Subscription): StripeStatement {
  return { tier, status: 'canceled', source: STRIPE };
}

const COMPARED = ['tier', 'status', 'source', 'renewsAtMs', 'endsAtMs', 'trialEndsAtMs'] as const;

function isSame(stored: Subscription, said: StripeStatement): boolean {
  return COMPARED.every((field) => stored[field] === said[field]);
}
