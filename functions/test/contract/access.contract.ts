import type { Subscription } from '../../src/access/subscription';
import { adasKey, keyRecord, T0 } from '../support/store-records';
import type { CurrentStore } from './store.contract';

const pro: Subscription = { userId: 'ada', tier: 'pro', status: 'active', sourceUpdatedAtMs: T0 };

/** `SubscriptionStore` and `AccessStore`. */
export function accessContract(current: CurrentStore): void {
  it('lists subscriptions by the bytes of user ids, from the first on or behind one, with their budgets', async () => {
    const store = current();
    // In UTF-16, in which JavaScript compares, the last two stand the other way round.
    const users = ['Zoe', 'ada', 'ada2', 'bob', 'zoë', '\uffee', '\u{1f98a}'];
    for (const userId of [...users].reverse()) await store.putSubscription({ ...pro, userId });
    await store.setUserBudget('bob', 5);
    const listed = async (query: Parameters<typeof store.listSubscriptions>[0]) =>
      (await store.listSubscriptions(query)).map(({ userId }) => userId);
    expect(await listed({ max: 100 })).toEqual(users);
    expect(await listed({ max: 2 })).toEqual(['Zoe', 'ada']);
    expect(await listed({ after: 'ada', max: 2 })).toEqual(['ada2', 'bob']);
    expect(await listed({ after: 'az', max: 1 })).toEqual(['bob']);
    expect(await listed({ after: '\u{1f98a}', max: 2 })).toEqual([]);
    expect((await store.listSubscriptions({ after: 'ada2', max: 1 }))[0]).toEqual({
      ...pro,
      userId: 'bob',
      budgetNanoUsd: 5,
    });
  });

  it('keeps who said it and until when it holds, no longer than it is said, and the budget through all of it', async () => {
    const full = { ...pro, source: 'billing', renewsAtMs: T0 + 1, endsAtMs: T0 + 2, trialEndsAtMs: T0 + 3 };
    await current().putSubscription(full);
    expect(await current().getSubscription('ada')).toEqual(full);
    await current().setUserBudget('ada', 5);
    await current().putSubscription({ ...pro, endsAtMs: T0 + 4 });
    expect(await current().getSubscription('ada')).toEqual({ ...pro, endsAtMs: T0 + 4, budgetNanoUsd: 5 });
    await current().putSubscription(pro);
    expect(await current().listSubscriptions({ max: 1 })).toEqual([{ ...pro, budgetNanoUsd: 5 }]);
  });

  it('keeps the newest of statements that arrive at once in any order', async () => {
    const statements = [3, 9, 1, 7, 5].map((age) => ({ ...pro, status: `s${age}`, sourceUpdatedAtMs: T0 + age }));
    await Promise.all(statements.map((statement) => current().putSubscription(statement)));
    expect((await current().getSubscription('ada'))?.status).toBe('s9');
  });

  it('finds a key under any of the hashes, with the subscription of its owner', async () => {
    await current().insertKey(keyRecord('k', { hash: 'old-pepper' }));
    await current().putSubscription({ ...pro, userId: 'bob' });
    await current().putSubscription(pro);
    const access = { key: keyRecord('k', { hash: 'old-pepper' }), subscription: pro };
    expect(await current().readAccess(['old-pepper', 'new-pepper'])).toEqual(access);
    expect(await current().readAccess(['new-pepper', 'old-pepper'])).toEqual(access);
  });

  it('finds nothing under unknown hashes or none', async () => {
    await current().insertKey(keyRecord('k'));
    expect(await current().readAccess(['x', 'y'])).toBeUndefined();
    expect(await current().readAccess([])).toBeUndefined();
  });

  it('shows a revoked key and a lost subscription on the very next read', async () => {
    await current().insertKey(keyRecord('k', { hash: 'h' }));
    await current().putSubscription(pro);
    await current().readAccess(['h']);
    await current().updateKey(adasKey('k'), { status: 'revoked' });
    await current().putSubscription({ ...pro, status: 'past_due', sourceUpdatedAtMs: T0 + 1 });
    const access = await current().readAccess(['h']);
    expect(access?.key.status).toBe('revoked');
    expect(access?.subscription?.status).toBe('past_due');
  });
}
