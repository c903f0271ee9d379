import { fakeClock } from '../../test/support/fake-clock';
import type { ServerSpend } from './budget';
import { ServerBudget } from './server-budget';

const MONTH = '2026-01';

/** A store whose figure the test sets; `reads` counts how often it is asked. */
function setup(budgetNanoUsd: number | undefined) {
  const clock = fakeClock();
  const state = { budgetNanoUsd, spentNanoUsd: 0, reads: 0 };
  const store = {
    readServerSpend: async (): Promise<ServerSpend | undefined> => {
      state.reads += 1;
      const { budgetNanoUsd: budget, spentNanoUsd } = state;
      return budget === undefined ? undefined : { budgetNanoUsd: budget, spentNanoUsd };
    },
  };
  const server = new ServerBudget(store, clock);
  const ask = (estimateNanoUsd = 0, month = MONTH) => server.refusal({ month, estimateNanoUsd });
  return { clock, state, ask };
}

describe('the budget of the deployment in one process', () => {
  it('refuses with 403 once it is spent, and says which', async () => {
    const { state, ask } = setup(5e9);
    state.spentNanoUsd = 5e9;
    expect(await ask()).toMatchObject({
      code: 'budget_used_up',
      text: 'The monthly budget of this server ($5.00) is used up, or set aside for requests under way.',
    });
  });

  it('counts what it has let in since the figure was read', async () => {
    const { clock, state, ask } = setup(1_000);
    expect(await ask(600)).toBeUndefined();
    expect(await ask(600)).toBeUndefined();
    expect(await ask(600)).toMatchObject({ code: 'budget_used_up' });
    // Both were settled at less.
    state.spentNanoUsd = 900;
    await clock.advance(15_000);
    expect(await ask(600)).toBeUndefined();
    expect(await ask(600)).toMatchObject({ code: 'budget_used_up' });
  });

  it('reads the figure once for all that wait for it', async () => {
    const { state, ask } = setup(1_000);
    const words = await Promise.all(Array.from({ length: 20 }, () => ask(100)));
    expect(state.reads).toBe(1);
    expect(words.filter((word) => word === undefined)).toHaveLength(10);
  });

  it('acts within a minute where there was none, and reads anew in a new month', async () => {
    const { clock, state, ask } = setup(undefined);
    expect(await ask()).toBeUndefined();
    state.budgetNanoUsd = 0;
    await clock.advance(59_999);
    expect(await ask()).toBeUndefined();
    await clock.advance(1);
    expect(await ask()).toMatchObject({ code: 'budget_used_up' });
    expect(state.reads).toBe(2);
    state.budgetNanoUsd = 1;
    expect(await ask(0, '2026-02')).toBeUndefined();
    expect(state.reads).toBe(3);
  });

  it('fails closed, and asks again with the next request', async () => {
    const clock = fakeClock();
    let broken = true;
    const readServerSpend = () => (broken ? Promise.reject(new Error('store down')) : Promise.resolve(undefined));
    const server = new ServerBudget({ readServerSpend }, clock);
    await expect(server.refusal({ month: MONTH })).rejects.toThrow('store down');
    broken = false;
    expect(await server.refusal({ month: MONTH })).toBeUndefined();
  });
});
