import { type Firestore, Timestamp } from '@google-cloud/firestore';
import { openFirestoreStore } from '../../src/store/firestore/firestore-store';
import { openStripeProjection, type StripeProjection } from '../../src/store/firestore/stripe-projection';
import type { Store } from '../../src/store/store';
import { describeWithFirestore, rawFirestore } from '../support/firestore-emulator';

/** Documents as Stripe's extension writes them, and what becomes of the user. */
describeWithFirestore('what Stripe’s extension writes', (emulator) => {
  let store: Store;
  let raw: Firestore;
  let stripe: StripeProjection;
  beforeEach(() => {
    const projectId = emulator.newProject();
    store = openFirestoreStore({ projectId });
    raw = rawFirestore(projectId);
    stripe = openStripeProjection({ customers: 'customers', tiers: new Map([['price_pro', 'pro']]) }, { projectId });
  });
  afterEach(async () => {
    await Promise.all([store.close(), stripe.close(), raw.terminate()]);
  });

  const document = (id: string) => raw.doc(`customers/ada/subscriptions/${id}`);
  const write = (id: string, status: string, created = 1) =>
    document(id).set({
      ...{ status, role: null, cancel_at_period_end: false, created: Timestamp.fromMillis(created) },
      ...{ price: raw.doc('products/prod_1/prices/price_pro'), product: raw.doc('products/prod_1') },
      current_period_end: Timestamp.fromMillis(5_000),
      items: [{ price: { id: 'price_pro', product: { id: 'prod_1' } } }],
    });
  const acts = async () => (await store.listActs({ userId: 'ada', sinceMs: 0, max: 9 })).map(({ details }) => details);

  it('opens the API, with its renewal, and is in the audit trail', async () => {
    await write('sub_1', 'active');
    await stripe.project('ada');
    expect(await store.getSubscription('ada')).toEqual({
      ...{ userId: 'ada', tier: 'pro', status: 'active', source: 'stripe', renewsAtMs: 5_000 },
      sourceUpdatedAtMs: expect.any(Number),
    });
    expect(await stripe.project('ada')).toBeUndefined();
    expect(await acts()).toEqual([{ tier: 'pro', status: 'active', source: 'stripe', before: null }]);
  });

  it('closes it again once the last one is deleted, and keeps the budget', async () => {
    await write('sub_1', 'active');
    await write('sub_2', 'active', 2);
    await stripe.project('ada');
    await store.setUserBudget('ada', 5);
    await document('sub_2').delete();
    await stripe.project('ada');
    expect(await store.getSubscription('ada')).toMatchObject({ status: 'active' });
    await document('sub_1').delete();
    await stripe.project('ada');
    const { sourceUpdatedAtMs, ...rest } = (await store.getSubscription('ada')) ?? { sourceUpdatedAtMs: 0 };
    expect(rest).toEqual({ userId: 'ada', tier: 'pro', status: 'canceled', source: 'stripe', budgetNanoUsd: 5 });
    expect(sourceUpdatedAtMs).toBeGreaterThan(0);
    expect(await acts()).toHaveLength(2);
  });

  it('ends as the documents are, however many deliveries come at once', async () => {
    const statuses = ['active', 'past_due', 'canceled', 'active', 'unpaid'];
    const deliveries = statuses.map(async (status, index) => {
      await write(`sub_${index % 2}`, status, index);
      await stripe.project('ada');
    });
    await Promise.all(deliveries);
    await write('sub_0', 'canceled', 9);
    await write('sub_1', 'trialing', 8);
    await Promise.all([stripe.project('ada'), stripe.project('ada'), stripe.project('ada')]);
    expect(await store.getSubscription('ada')).toMatchObject({ tier: 'pro', status: 'trialing' });
  });
});
