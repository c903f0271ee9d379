import fc from '../../test/support/properties';
import type { Subscription } from '../access/subscription';
import { SettingsReader } from '../lib/settings-reader';
import {
  readStripeSubscription,
  type StripeStatement,
  type StripeSubscription,
  stripeSettings,
  stripeStatement,
} from './stripe';

const TIERS = new Map([
  ['price_pro', 'pro'],
  ['prod_byok', 'byok'],
]);

function subscription(id: string, change: Partial<StripeSubscription> = {}): StripeSubscription {
  return { id, status: 'active', subscribedTo: ['price_pro'], createdAtMs: 1, endsWithPeriod: false, ...change };
}

function stored(tier: string, status: string, source?: string): Subscription {
  return { userId: 'ada', tier, status, sourceUpdatedAtMs: 1, ...(source && { source }) };
}

function said(subscriptions: readonly StripeSubscription[], before?: Subscription): StripeStatement | undefined {
  return stripeStatement(before, subscriptions, TIERS);
}

describe('what Stripe says of a user', () => {
  it.each([
    ['pro', { subscribedTo: ['price_pro'] }],
    ['byok', { subscribedTo: ['price_other', 'prod_byok'] }],
    ['pro', { subscribedTo: ['prod_byok', 'price_pro'] }],
    ['byok', { subscribedTo: ['price_other'], role: 'byok' }],
    ['pro', { subscribedTo: ['price_pro'], role: 'byok' }],
    ['free', { subscribedTo: ['price_other'], role: 'admin' }],
    ['free', { subscribedTo: [] }],
  ])('has the tier %s for %j', (tier, change) => expect(said([subscription('s', change)])?.tier).toBe(tier));

  it('is by the one that opens most, whatever is newer', () => {
    const byok = subscription('b', { createdAtMs: 2, subscribedTo: ['prod_byok'] });
    const ended = subscription('c', { createdAtMs: 3, status: 'canceled' });
    expect(said([ended, byok, subscription('a')])).toMatchObject({ tier: 'pro', status: 'active' });
    expect(said([ended, byok])).toMatchObject({ tier: 'byok', status: 'active' });
  });

  it('tells when it renews, when it ends, and how long it is tried', () => {
    const change = { periodEndsAtMs: 50, trialEndsAtMs: 40 };
    expect(said([subscription('s', change)])).toEqual({
      ...{ tier: 'pro', status: 'active', source: 'stripe', renewsAtMs: 50 },
    });
    const trial = subscription('s', { ...change, status: 'trialing' });
    expect(said([trial])).toMatchObject({ renewsAtMs: 50, trialEndsAtMs: 40 });
    const leaving = said([subscription('s', { ...change, endsWithPeriod: true })]);
    expect([leaving?.renewsAtMs, leaving?.endsAtMs]).toEqual([undefined, 50]);
    const left = said([subscription('s', { ...change, status: 'canceled', endsAtMs: 45 })]);
    expect([left?.renewsAtMs, left?.endsAtMs]).toEqual([undefined, 45]);
  });

  it('takes away what Stripe gave: by a status, and by the deletion of all', () => {
    const before = stored('pro', 'active', 'stripe');
    expect(said([subscription('s', { status: 'unpaid' })], before)?.status).toBe('unpaid');
    expect(said([], before)).toEqual({ tier: 'pro', status: 'canceled', source: 'stripe' });
    expect(said([], stored('pro', 'canceled', 'stripe'))).toBeUndefined();
    expect(said([], undefined)).toBeUndefined();
  });

  it('takes away nothing that an operator gave, and gives more', () => {
    const byok = subscription('s', { subscribedTo: ['prod_byok'] });
    expect(said([], stored('pro', 'active'))).toBeUndefined();
    expect(said([subscription('s', { status: 'canceled' })], stored('pro', 'active'))).toBeUndefined();
    expect(said([byok], stored('pro', 'active'))).toBeUndefined();
    expect(said([subscription('s')], stored('pro', 'active'))).toBeUndefined();
    expect(said([byok], stored('pro', 'canceled'))).toMatchObject({ tier: 'byok', source: 'stripe' });
    expect(said([subscription('s')], stored('byok', 'active'))).toMatchObject({ tier: 'pro', source: 'stripe' });
  });

  it('is the same after any events in any order, once each user’s documents are as they are', () => {
    const one = fc.record({
      status: fc.constantFrom('active', 'trialing', 'past_due', 'canceled', 'unpaid'),
      subscribedTo: fc.subarray(['price_pro', 'prod_byok']),
      createdAtMs: fc.nat(3),
      endsWithPeriod: fc.boolean(),
      periodEndsAtMs: fc.nat(9),
    });
    const event = fc.record({ id: fc.constantFrom('a', 'b', 'c'), document: fc.option(one) });
    const before = fc.constantFrom(undefined, stored('pro', 'active', 'stripe'), stored('free', 'canceled', 'stripe'));
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), before, fc.infiniteStream(fc.nat(99)), (events, first, picks) => {
        const documents = new Map<string, StripeSubscription>();
        let now = first;
        for (const { id, document } of events) {
          if (document) documents.set(id, { id, ...document });
          else documents.delete(id);
          // Some deliveries are lost, late, or come twice: what they look at is what there is then.
          for (let times = (picks.next().value ?? 0) % 3; times > 0; times -= 1)
            now = delivered(now, [...documents.values()]);
        }
        const end = [...documents.values()];
        const [once, reversed] = [delivered(now, end), delivered(now, end.toReversed())];
        expect(reversed).toEqual(once);
        expect(said(end, once)).toBeUndefined();
        if (end.length > 0) expect(once).toMatchObject(said(end) ?? {});
      }),
    );
  });
});

/** Subscription that is stored after a delivery. */
function delivered(
  before: Subscription | undefined,
  subscriptions: readonly StripeSubscription[],
): Subscription | undefined {
  const statement = said(subscriptions, before);
  return statement ? { userId: 'ada', sourceUpdatedAtMs: 1, ...statement } : before;
}

describe('a document of Stripe’s extension', () => {
  const at = (timeMs: number) => ({ toMillis: () => timeMs });

  it('is read by its fields', () => {
    const document = {
      ...{ status: 'trialing', role: 'pro', cancel_at_period_end: true, cancel_at: null, ended_at: null },
      ...{ created: at(1), current_period_end: at(50), trial_end: at(40), product: { id: 'prod_1' } },
      items: [{ price: { id: 'price_1', product: { id: 'prod_1' } } }, { price: { id: 'price_2', product: 'prod_2' } }],
    };
    expect(readStripeSubscription('sub_1', document)).toEqual({
      ...{ id: 'sub_1', status: 'trialing', role: 'pro', createdAtMs: 1, endsWithPeriod: true },
      ...{ periodEndsAtMs: 50, trialEndsAtMs: 40, subscribedTo: ['prod_1', 'price_1', 'price_2', 'prod_2'] },
    });
  });

  it('opens nothing where it says nothing', () => {
    const nothing = { id: 's', status: 'incomplete', createdAtMs: 0, endsWithPeriod: false, subscribedTo: [] };
    for (const document of [{}, { status: 7, items: 'x', created: 'y', role: '', price: null }, { items: [null, 5] }]) {
      expect(readStripeSubscription('s', document)).toEqual(nothing);
    }
  });
});

describe('the settings of Stripe', () => {
  const flawsOf = (env: Record<string, string>) => () => {
    const settings = new SettingsReader(env);
    stripeSettings(settings);
    settings.refuseFlaws();
  };

  it.each(['a/b', '../x', 'a b'])('have no collection %s', (STRIPE_CUSTOMERS) =>
    expect(flawsOf({ STRIPE_CUSTOMERS })).toThrow('STRIPE_CUSTOMERS must be'),
  );

  it.each(['price_1', 'price_1=gold', 'sku_1=pro', '=pro'])('have no tiers %s', (STRIPE_TIERS) =>
    expect(flawsOf({ STRIPE_TIERS })).toThrow(`STRIPE_TIERS must be such as`),
  );
});
