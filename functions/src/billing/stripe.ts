import { OPTIONAL_FIELDS, type Subscription } from '../access/subscription';
import type { Log } from '../lib/log';
import type { SettingsReader } from '../lib/settings-reader';

/** Place where Stripe's extension keeps customers, and the meaning of their subscriptions. */
export interface StripeSettings {
  readonly customers: string;
  readonly tiers: StripeTiers;
}

export function stripeSettings(settings: SettingsReader): StripeSettings {
  const customers = settings.matching('STRIPE_CUSTOMERS', /^[\w-]{1,100}$/, 'the name of a collection');
  return { customers, tiers: settings.attempt(() => tiersOf(settings.list('STRIPE_TIERS')), new Map()) };
}

function tiersOf(entries: readonly string[]): StripeTiers {
  return new Map(
    entries.map((entry) => {
      const [, id, tier] = /^((?:price|prod)_\w+)=(pro|byok|free)$/.exec(entry) ?? [];
      if (id !== undefined && tier !== undefined) return [id, tier];
      throw new Error(
        `STRIPE_TIERS must be such as price_123=pro,prod_456=byok, with tiers pro, byok, free; not ${entry}`,
      );
    }),
  );
}

/** A subscription as Stripe's extension for Firebase keeps it, as far as it matters here. */
export interface StripeSubscription {
  readonly id: string;
  readonly status: string;
  readonly subscribedTo: readonly string[];
  /** `firebaseRole` in the product's metadata. */
  readonly role?: string;
  readonly createdAtMs: number;
  readonly periodEndsAtMs?: number;
  readonly endsWithPeriod: boolean;
  /** Time of its end, past or future. */
  readonly endsAtMs?: number;
  readonly trialEndsAtMs?: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads a document of the extension. What is missing or of another kind is taken for not said. */
export function readStripeSubscription(id: string, document: Fields): StripeSubscription {
  const items = Array.isArray(document['items']) ? document['items'].map(fieldsOf) : [];
  const prices = items.map((item) => fieldsOf(item['price']));
  const ids = [document['price'], document['product'], ...prices, ...prices.map(({ product }) => product)].map(idOf);
  const role = textOf(document['role']);
  const moments = {
    // Newer versions of Stripe's API have the period with each item.
    periodEndsAtMs: momentOf(document['current_period_end']) ?? momentOf(items[0]?.['current_period_end']),
    endsAtMs: momentOf(document['ended_at']) ?? momentOf(document['cancel_at']),
    trialEndsAtMs: momentOf(document['trial_end']),
  };
  const said = Object.entries(moments).filter(([, value]) => value !== undefined);
  return {
    id,
    status: textOf(document['status']) ?? 'incomplete',
    subscribedTo: [...new Set(ids.filter((found) => found !== undefined))],
    ...(role !== undefined && { role }),
    createdAtMs: momentOf(document['created']) ?? 0,
    endsWithPeriod: document['cancel_at_period_end'] === true,
    ...Object.fromEntries(said),
  };
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function idOf(value: unknown): string | undefined {
  return textOf(value) ?? textOf(fieldsOf(value)['id']);
}

/** A timestamp of Firestore, or Unix seconds as Stripe has them. */
function momentOf(value: unknown): number | undefined {
  const toMillis = fieldsOf(value)['toMillis'];
  const timeMs = typeof toMillis === 'function' ? toMillis.call(value) : Number(value) * 1000;
  return (typeof value === 'number' || typeof toMillis === 'function') && Number.isSafeInteger(timeMs)
    ? timeMs
    : undefined;
}

const STRIPE = 'stripe';
/** Tiers that open anything, the better one first. */
const TIERS = ['pro', 'byok'] as const;
const COMPARED = ['tier', 'status', ...OPTIONAL_FIELDS] as const;
const RANKS: ReadonlyMap<string, number> = new Map(TIERS.toReversed().map((tier, index) => [tier, index + 1]));
/** Tier of a subscription that neither the setting nor its role places higher. */
const OTHER_TIER = 'free';

export type StripeTiers = ReadonlyMap<string, string>;

export type StripeStatement = Omit<Subscription, 'userId' | 'sourceUpdatedAtMs' | 'budgetNanoUsd'>;

/** Statement to be stored of a user: by the subscription that opens most, the newest of several that open as much. */
export function stripeStatement(
  stored: Subscription | undefined,
  subscriptions: readonly StripeSubscription[],
  tiers: StripeTiers,
): StripeStatement | undefined {
  const best = subscriptions
    .map((subscription) => statementOf(subscription, tiers))
    .sort((a, b) => rankOf(b.said) - rankOf(a.said) || b.createdAtMs - a.createdAtMs || (a.id < b.id ? -1 : 1))
    .at(0)?.said;
  const isOfStripe = stored?.source === STRIPE;
  // All of them were deleted.
  if (!best) {
    return isOfStripe && stored.status !== 'canceled'
      ? { tier: stored.tier, status: 'canceled', source: STRIPE }
      : undefined;
  }
  if (stored && !isOfStripe && rankOf(best) <= rankOf(stored)) return undefined;
  return stored && COMPARED.every((field) => stored[field] === best[field]) ? undefined : best;
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

function tierOf({ subscribedTo, role }: StripeSubscription, tiers: StripeTiers): string {
  const named = subscribedTo.map((id) => tiers.get(id));
  const byName = TIERS.find((tier) => named.includes(tier)) ?? named.find((tier) => tier !== undefined);
  return byName ?? TIERS.find((tier) => tier === role) ?? OTHER_TIER;
}

function rankOf({ tier, status }: Pick<Subscription, 'tier' | 'status'>): number {
  const isOpen = status === 'active' || status === 'trialing';
  return isOpen ? (RANKS.get(tier) ?? 0) : 0;
}

/** Projection of the subscriptions of a billing system. */
export interface Billing {
  /** Resolves to what is said of a user from now on, or undefined where nothing had to be changed. */
  project(userId: string): Promise<Subscription | undefined>;
  readonly log: Log;
}

/** Brings what is said of a user in line with what was paid, and logs what came of it. Rejects, after logging, when it failed. */
export async function projectAndLog({ project, log }: Billing, userId: string): Promise<void> {
  try {
    const said = await project(userId);
    if (said) log.info('subscription changed', { userId, tier: said.tier, status: said.status });
    else log.info('subscription unchanged', { userId });
  } catch (error) {
    log.error('subscription not projected', { userId }, error);
    throw error;
  }
}
