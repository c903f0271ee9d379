import { fakeClock } from '../../test/support/fake-clock';
import { monthsToTally, ServerBudget, type ServerSpend, Tally } from './budget';

const MONTH = '2026-01';
const asking = (requestId: string, change: object = {}) => ({ requestId, keyId: 'k', month: MONTH, ...change });

describe('a tally', () => {
  const tallyOf = (userNanoUsd: number, keyNanoUsd: number) =>
    new Tally(new Map([[MONTH, { userNanoUsd, keysNanoUsd: new Map([['k', keyNanoUsd]]) }]]));

  it.each([
    [{ keyNanoUsd: 41, userNanoUsd: 101 }, 'k', undefined],
    [{ keyNanoUsd: 40, userNanoUsd: 101 }, 'k', 'key'],
    [{ keyNanoUsd: 41, userNanoUsd: 100 }, 'k', 'user'],
    [{ keyNanoUsd: 40, userNanoUsd: 100 }, 'k', 'key'],
    [{ keyNanoUsd: 0 }, 'new', 'key'],
    [undefined, 'k', undefined],
  ])('of 100 nano-dollars of the user and 40 of key k has of %j for key %s used up: %s', (budgets, keyId, owner) => {
    expect(tallyOf(100, 40).usedUp(asking('r', { keyId, budgets }))?.owner).toBe(owner);
  });

  it('is needed for the months of requests with a budget only, once each', () => {
    const limited = { budgets: { userNanoUsd: 1 } };
    const requests = [asking('a'), asking('b', { budgets: {} }), asking('c', limited), asking('d', limited)];
    expect(monthsToTally(requests)).toEqual([MONTH]);
    expect(monthsToTally([...requests, asking('e', { ...limited, month: '2026-02' })])).toEqual([MONTH, '2026-02']);
  });
});

describe('the budget of the deployment in one process', () => {
  /** A store whose figure the test sets; `reads` counts how often it is asked. */
  function setup(budgetNanoUsd: number | undefined) {
    const clock = fakeClock();
    const state = { budgetNanoUsd, spentNanoUsd: 0, reads: 0, broken: false };
    const readServerSpend = async (): Promise<ServerSpend | undefined> => {
      state.reads += 1;
      if (state.broken) throw new Error('store down');
      const { budgetNanoUsd: budget, spentNanoUsd } = state;
      return budget === undefined ? undefined : { budgetNanoUsd: budget, spentNanoUsd };
    };
    const server = new ServerBudget({ readServerSpend }, clock);
    const ask = async (estimateNanoUsd = 0, month = MONTH) =>
      (await server.refusal({ month, estimateNanoUsd }))?.code ?? 'let in';
    return { clock, state, ask };
  }

  it('counts what it has let in since the figure was read', async () => {
    const { clock, state, ask } = setup(1_000);
    expect([await ask(600), await ask(600), await ask(600)]).toEqual(['let in', 'let in', 'budget_used_up']);
    // Both were settled at less.
    state.spentNanoUsd = 900;
    await clock.advance(15_000);
    expect([await ask(600), await ask(600)]).toEqual(['let in', 'budget_used_up']);
  });

  it('reads the figure once for all that wait for it', async () => {
    const { state, ask } = setup(1_000);
    const words = await Promise.all(Array.from({ length: 20 }, () => ask(100)));
    expect(state.reads).toBe(1);
    expect(words.filter((word) => word === 'let in')).toHaveLength(10);
  });

  it('acts within a minute where there was none, and reads anew in a new month', async () => {
    const { clock, state, ask } = setup(undefined);
    expect(await ask()).toBe('let in');
    state.budgetNanoUsd = 0;
    await clock.advance(59_999);
    expect(await ask()).toBe('let in');
    await clock.advance(1);
    expect(await ask()).toBe('budget_used_up');
    state.budgetNanoUsd = 1;
    expect(await ask(0, '2026-02')).toBe('let in');
    expect(state.reads).toBe(3);
  });

  it('fails closed, and asks again with the next request', async () => {
    const { state, ask } = setup(undefined);
    state.broken = true;
    await expect(ask()).rejects.toThrow('store down');
    state.broken = false;
    expect(await ask()).toBe('let in');
  });
});
