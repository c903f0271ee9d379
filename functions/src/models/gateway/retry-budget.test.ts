import { RetryBudget } from './retry-budget';

describe('RetryBudget', () => {
  it.each([
    [0, 2],
    [1, 2],
    [9, 2],
    [10, 3],
    [53, 7],
  ])('%d calls may be followed by %d retries', (calls, retries) => {
    const budget = new RetryBudget();
    for (let call = 0; call < calls; call += 1) budget.called();
    for (let retry = 0; retry < retries; retry += 1) expect(budget.take()).toBe(true);
    expect(budget.take()).toBe(false);
  });
});
