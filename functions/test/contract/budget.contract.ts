import type { AdmissionRequest } from '../../src/access/rate-limit';
import { callRow, keyRecord, openRow, rateLimit, reservation, settlement, T0 } from '../support/store-records';
import type { CurrentStore } from './store.contract';

const MONTH = '2026-03';

/** Budgets and limits of keys, as admission decides on them (`BudgetStore`, `AdmissionStore`). */
export function budgetContract(current: CurrentStore): void {
  const request = (requestId: string, change: Partial<AdmissionRequest> = {}): AdmissionRequest => ({
    ...reservation(requestId, { calls: [openRow('c')] }),
    ...change,
  });
  const ask = (requests: readonly AdmissionRequest[], max = 1_000) => current().admit(rateLimit(max), requests, T0);
  const askOne = async (requestId: string, change: Partial<AdmissionRequest>) =>
    (await ask([request(requestId, change)]))[0];
  const settle = (requestId: string, costNanoUsd: number, change: Partial<AdmissionRequest> = {}) =>
    current().settle(settlement(request(requestId, change), [callRow('c', { costNanoUsd })]));
  /** A settled request that cost so much. */
  const spend = async (requestId: string, costNanoUsd: number, change: Partial<AdmissionRequest> = {}) => {
    await askOne(requestId, change);
    await settle(requestId, costNanoUsd, change);
  };
  const usedUp = (owner: string, budgetNanoUsd: number) => ({
    ...{ admitted: false, usedUp: { owner, month: MONTH, budgetNanoUsd } },
  });

  describe('of a user', () => {
    it('are kept beside the subscription, whatever becomes of it, until they are removed', async () => {
      expect(await current().setUserBudget('ada', 5)).toBe(false);
      const statement = { userId: 'ada', tier: 'pro', status: 'active', sourceUpdatedAtMs: T0 };
      await current().putSubscription(statement);
      expect(await current().setUserBudget('ada', 5)).toBe(true);
      const renewed = { ...statement, status: 'trialing', sourceUpdatedAtMs: T0 + 1 };
      await current().putSubscription(renewed);
      expect(await current().getSubscription('ada')).toEqual({ ...renewed, budgetNanoUsd: 5 });
      await current().insertKey(keyRecord('key-1', { hash: 'h' }));
      expect((await current().readAccess(['h']))?.subscription?.budgetNanoUsd).toBe(5);
      await current().setUserBudget('ada', null);
      expect(await current().getSubscription('ada')).toEqual(renewed);
    });

    it('count what open requests are estimated at until these are settled, and then what they cost', async () => {
      await askOne('open', { estimateNanoUsd: 500 });
      expect(await askOne('a', { budgets: { userNanoUsd: 500 } })).toEqual(usedUp('user', 500));
      await settle('open', 20);
      expect((await askOne('b', { budgets: { userNanoUsd: 21 } }))?.admitted).toBe(true);
      expect(await askOne('c', { budgets: { userNanoUsd: 20 } })).toEqual(usedUp('user', 20));
    });

    it('take no slot and open no record where they refuse', async () => {
      await spend('past', 300);
      await askOne('refused', { budgets: { userNanoUsd: 1 } });
      expect(await current().findRecord('refused')).toBeUndefined();
      const [word] = await ask([request('next')], 3);
      expect(word).toMatchObject({ admitted: true, remaining: 1 });
    });

    it('set aside what is let in for those behind it in the same commit', async () => {
      const budgets = { userNanoUsd: 900 };
      const words = await ask(['a', 'b', 'c'].map((id) => request(id, { estimateNanoUsd: 500, budgets })));
      expect(words.map(({ admitted }) => admitted)).toEqual([true, true, false]);
      expect(await current().readSpend({ userId: 'ada', month: MONTH })).toEqual({
        userNanoUsd: 1_000,
        keysNanoUsd: new Map([['key-1', 1_000]]),
      });
    });

    it('begin anew with each month, and know nothing of other users', async () => {
      await spend('past', 300);
      await askOne('open', { estimateNanoUsd: 500 });
      expect((await askOne('april', { month: '2026-04', budgets: { userNanoUsd: 1 } }))?.admitted).toBe(true);
      const [word] = await ask([request('bob', { userId: 'bob', budgets: { userNanoUsd: 1 } })]);
      expect(word?.admitted).toBe(true);
    });

    it('are exceeded by no more than what is let in at once, over 40 requests at the same moment', async () => {
      const one = { estimateNanoUsd: 100, budgets: { userNanoUsd: 1_000 } };
      const words = await Promise.all(Array.from({ length: 40 }, (_, index) => askOne(`r${index}`, one)));
      expect(words.filter((word) => word?.admitted)).toHaveLength(10);
    });
  });

  describe('of a key', () => {
    it('count that key alone, booked and open', async () => {
      await spend('other', 900, { keyId: 'key-2' });
      await spend('own', 300);
      await askOne('open', { estimateNanoUsd: 50 });
      expect((await askOne('a', { budgets: { keyNanoUsd: 351 } }))?.admitted).toBe(true);
      expect(await askOne('b', { budgets: { keyNanoUsd: 350 } })).toEqual(usedUp('key', 350));
      expect(await askOne('c', { keyId: 'key-2', budgets: { keyNanoUsd: 900 } })).toEqual(usedUp('key', 900));
    });
  });

  describe('of a key that was rotated', () => {
    const next = { keyId: 'key-2', originId: 'key-1' };

    it('count its whole line, booked and open, whichever of its keys asks', async () => {
      await spend('old', 300);
      await askOne('open', { ...next, estimateNanoUsd: 50 });
      const budgets = { keyNanoUsd: 350 };
      expect(await askOne('a', { ...next, budgets })).toEqual(usedUp('key', 350));
      expect(await askOne('b', { budgets })).toEqual(usedUp('key', 350));
      expect((await askOne('c', { ...next, budgets: { keyNanoUsd: 351 } }))?.admitted).toBe(true);
      await settle('open', 70, next);
      const spent = await current().readSpend({ userId: 'ada', month: MONTH });
      expect(spent.keysNanoUsd).toEqual(new Map([['key-1', 370]]));
      expect((await current().findRecord('open'))?.keyId).toBe('key-2');
    });

    it('are exceeded by no more than what is let in at once, over 40 requests of both keys at the same moment', async () => {
      const one = { estimateNanoUsd: 100, budgets: { keyNanoUsd: 1_000 } };
      const ofBoth = Array.from({ length: 40 }, (_, index) => ({ ...one, ...(index % 2 === 0 && next) }));
      const words = await Promise.all(ofBoth.map((change, index) => askOne(`r${index}`, change)));
      expect(words.filter((word) => word?.admitted)).toHaveLength(10);
    });
  });

  describe('of the deployment', () => {
    it('are there when set, with what all users have spent of the month', async () => {
      expect(await current().readServerSpend(MONTH)).toBeUndefined();
      await current().setServerBudget(5_000);
      expect(await current().readServerSpend(MONTH)).toEqual({ budgetNanoUsd: 5_000, spentNanoUsd: 0 });
      await spend('a', 300);
      await ask([request('b', { userId: 'bob' })]);
      await settle('b', 400, { userId: 'bob' });
      await spend('april', 7_000, { month: '2026-04' });
      await askOne('open', { estimateNanoUsd: 50 });
      await ask([request('bobs', { userId: 'bob', estimateNanoUsd: 60 })]);
      expect(await current().readServerSpend(MONTH)).toEqual({ budgetNanoUsd: 5_000, spentNanoUsd: 810 });
      await settle('bobs', 1, { userId: 'bob' });
      await current().abandon(request('open'), T0);
      expect(await current().readServerSpend(MONTH)).toEqual({ budgetNanoUsd: 5_000, spentNanoUsd: 701 });
      await current().setServerBudget(6_000);
      expect((await current().readServerSpend(MONTH))?.budgetNanoUsd).toBe(6_000);
      await current().setServerBudget(null);
      expect(await current().readServerSpend(MONTH)).toBeUndefined();
    });
  });

  describe('requests in a minute of one key', () => {
    const ofKey = (keyId: string, id: string, nowMs: number) =>
      current().admit(rateLimit(5), [request(id, { keyId, keyMax: 2 })], nowMs);

    it('are fewer than those of its user, and take its slots', async () => {
      expect(await ofKey('key-1', 'a', T0)).toEqual([{ admitted: true, remaining: 1, resetMs: 60_000 }]);
      expect(await ofKey('key-1', 'b', T0 + 10_000)).toEqual([{ admitted: true, remaining: 0, resetMs: 50_000 }]);
      expect(await ofKey('key-1', 'c', T0 + 20_000)).toEqual([{ admitted: false, waitMs: 40_000, ofKey: true }]);
      const [other] = await current().admit(rateLimit(5), [request('d', { keyId: 'key-2' })], T0 + 20_000);
      expect(other).toEqual({ admitted: true, remaining: 2, resetMs: 40_000 });
      expect((await ofKey('key-1', 'e', T0 + 59_999))[0]?.admitted).toBe(false);
      expect((await ofKey('key-1', 'f', T0 + 60_000))[0]?.admitted).toBe(true);
      expect(await current().findRecord('c')).toBeUndefined();
    });
  });
}
