import type { SettingsReader } from '../lib/settings-reader';
import type { StripeTiers } from './stripe-statement';

/** Place where Stripe's extension keeps customers, and the meaning of their subscriptions. */
export interface StripeSettings {
  /** The collection of customers; empty: there is no such extension. */
  readonly customers: string;
  readonly tiers: StripeTiers;
}

/** The settings of the projection of Stripe's subscriptions. */
export function stripeSettings(settings: SettingsReader): StripeSettings {
  const customers = settings.text('STRIPE_CUSTOMERS');
  if (!/^[\w-]{0,100}$/.test(customers)) settings.flaw('STRIPE_CUSTOMERS must be the name of a collection');
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
