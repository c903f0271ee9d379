import { reservation } from '../../test/support/store-records';
import { monthsToTally, refuseUsedUp, Tally } from './budget';
import { API_LIMIT, admitAll, ownerOf } from './rate-limit';

const MONTH = '2026-01';
const T0 = Date.UTC(2026, 0, 15);
const LIMIT = { name: 'api', max: 30, windowMs: 60_000 } as const;

const asking = (requestId: string, change: object = {}) => ({ requestId, keyId: 'k', month: MONTH, ...change });
const spends = (userNanoUsd: number, keyNanoUsd: number) =>
  new Map([[MONTH, { userNanoUsd, keysNanoUsd: new Map([['k', keyNanoUsd]]) }]]);

describe('a tally', () => {
  it('has a budget used up from the nano-dollar on that reaches it, and names the key before the user', () => {
    const tally = new Tally(spends(100, 40));
    const of = (keyNanoUsd: number, userNanoUsd: number) =>
      tally.usedUp(asking('r', { budgets: { keyNanoUsd, userNanoUsd } }))?.owner;
    expect([of(41, 101), of(40, 101), of(41, 100), of(40, 100), of(0, 0)]).toEqual([
      undefined,
      'key',
      'user',
      'key',
      'key',
    ]);
  });

  it('has nothing used up where there is no budget, and all of a budget of nothing', () => {
    const tally = new Tally(spends(100, 40));
    expect(tally.usedUp(asking('r'))).toBeUndefined();
    expect(tally.usedUp(asking('r', { keyId: 'new', budgets: { keyNanoUsd: 0 } }))?.owner).toBe('key');
    const nothingSpent = new Tally(new Map());
    expect(nothingSpent.usedUp(asking('r', { budgets: { userNanoUsd: 0 } }))?.owner).toBe('user');
    expect(nothingSpent.usedUp(asking('r', { budgets: { keyNanoUsd: 0 } }))?.owner).toBe('key');
  });

  it('sets aside for user and key, also for a key that has not spent yet', () => {
    const tally = new Tally(spends(100, 40));
    tally.setAside(asking('r', { keyId: 'new', estimateNanoUsd: 5 }));
    tally.setAside(asking('s', { month: '2026-02', estimateNanoUsd: 500 }));
    expect(tally.usedUp(asking('t', { keyId: 'new', budgets: { keyNanoUsd: 5 } }))?.owner).toBe('key');
    expect(tally.usedUp(asking('t', { keyId: 'new', budgets: { keyNanoUsd: 6, userNanoUsd: 105 } }))?.owner).toBe(
      'user',
    );
    expect(tally.usedUp(asking('t', { budgets: { keyNanoUsd: 41, userNanoUsd: 106 } }))).toBeUndefined();
  });

  it('is needed for the months of requests with a budget only, once each', () => {
    const limited = { budgets: { userNanoUsd: 1 } };
    const requests = [asking('a'), asking('b', { budgets: {} }), asking('c', limited), asking('d', limited)];
    expect(monthsToTally(requests)).toEqual([MONTH]);
    expect(monthsToTally([asking('a'), asking('b', { budgets: {} })])).toEqual([]);
    expect(monthsToTally([...requests, asking('e', { ...limited, month: '2026-02' })])).toEqual([MONTH, '2026-02']);
  });

  it('says which budget and how much, in dollars', () => {
    expect(refuseUsedUp({ owner: 'key', budgetNanoUsd: 5e9 })).toMatchObject({
      code: 'budget_used_up',
      text: 'The monthly budget of this key ($5.00) is used up, or set aside for requests under way.',
    });
  });
});

describe('admitAll with a limit of a key and budgets', () => {
  it('decides by the limit of the user, then of the key, then by the budgets', () => {
    const budgets = { userNanoUsd: 100 };
    const one = { ...LIMIT, max: 1 };
    const full = [{ t: T0, r: 'old', k: 'k' }];
    const request = asking('r', { keyMax: 1, budgets });
    const decide = (log: typeof full, limit: typeof LIMIT | typeof one) =>
      admitAll(log, [request], { limit, nowMs: T0 + 1, spends: spends(100, 0) }).admissions[0];
    expect(decide(full, one)).toEqual({ admitted: false, waitMs: 59_999 });
    expect(decide(full, LIMIT)).toEqual({ admitted: false, waitMs: 59_999, ofKey: true });
    expect(decide([], LIMIT)).toEqual({ admitted: false, usedUp: { owner: 'user', budgetNanoUsd: 100 } });
  });

  it('counts for a key only entries that carry it, and waits for as many as must free', () => {
    const log = [
      { t: T0, r: 'a', k: 'k' },
      { t: T0 + 10, r: 'b' },
      { t: T0 + 20, r: 'c', k: 'other' },
      { t: T0 + 30, r: 'd', k: 'k' },
    ];
    const ask = (keyMax: number) =>
      admitAll(log, [asking('r', { keyMax })], { limit: LIMIT, nowMs: T0 + 100 }).admissions[0];
    expect(ask(3)).toEqual({ admitted: true, remaining: 0, resetMs: 59_900 });
    expect(ask(2)).toEqual({ admitted: false, waitMs: 59_900, ofKey: true });
    expect(ask(1)).toEqual({ admitted: false, waitMs: 59_930, ofKey: true });
  });

  it('tells what is left of the tighter limit', () => {
    const log = [{ t: T0, r: 'a' }];
    const limit = { ...LIMIT, max: 3 };
    const { admissions, log: after } = admitAll(log, [asking('r', { keyMax: 20 }), asking('s', { keyMax: 20 })], {
      limit,
      nowMs: T0 + 100,
    });
    expect(admissions).toEqual([
      { admitted: true, remaining: 1, resetMs: 59_900 },
      { admitted: true, remaining: 0, resetMs: 59_900 },
    ]);
    expect(after.map(({ r, ...entry }) => ('k' in entry ? entry.k : undefined))).toEqual([undefined, 'k', 'k']);
  });

  it('tells of two that have as much left the one whose slot frees first', () => {
    const terms = { limit: { ...LIMIT, max: 3 }, nowMs: T0 + 100 };
    const { admissions } = admitAll([{ t: T0, r: 'a' }], [asking('r', { keyMax: 2 })], terms);
    expect(admissions).toEqual([{ admitted: true, remaining: 1, resetMs: 59_900 }]);
  });

  it('sets aside what it lets in for those behind it', () => {
    const request = (id: string) => asking(id, { budgets: { userNanoUsd: 110 }, estimateNanoUsd: 10 });
    const { admissions } = admitAll([], [request('a'), request('b')], {
      limit: LIMIT,
      nowMs: T0,
      spends: spends(100, 0),
    });
    expect(admissions).toMatchObject([
      { admitted: true },
      { admitted: false, usedUp: { owner: 'user', budgetNanoUsd: 110 } },
    ]);
  });
});

describe('the API', () => {
  it('lets 30 requests of a user in each minute', () => {
    expect(API_LIMIT).toEqual({ name: 'api', max: 30, windowMs: 60_000 });
  });

  it('decides together only on requests of one user', () => {
    const [ada, bob] = [reservation('r'), reservation('s', { userId: 'bob' })];
    expect(ownerOf([ada, ada])).toBe('ada');
    expect(ownerOf([])).toBeUndefined();
    expect(() => ownerOf([ada, bob])).toThrow('reservations of different users cannot be decided together');
  });
});
