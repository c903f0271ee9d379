import { fakeClock } from '../../test/support/fake-clock';
import { reservation } from '../../test/support/store-records';
import { admitCaller, answerOf, type Caller } from './guard';
import type { Admission, AdmissionRequest } from './rate-limit';
import { ServerBudget } from './server-budget';

const LIMIT = { name: 'api', max: 30, windowMs: 60_000 } as const;
const CALLER: Caller = { userId: 'ada', keyId: 'key-1', keyName: 'laptop' };
const ADMITTED: Admission = { admitted: true, remaining: 7, resetMs: 1_500 };

/** Where the limiter answers `word`, and the deployment has spent all of its budget or has none. */
function setup({ word = ADMITTED, serverSpent = false }: { word?: Admission; serverSpent?: boolean } = {}) {
  const asked: AdmissionRequest[] = [];
  const admit = async (request: AdmissionRequest) => {
    asked.push(request);
    return word;
  };
  const spend = serverSpent ? { budgetNanoUsd: 5e9, spentNanoUsd: 5e9 } : undefined;
  const serverBudget = new ServerBudget({ readServerSpend: async () => spend }, fakeClock());
  const limiter = { limit: LIMIT, admit, blocked: () => undefined };
  const ask = (caller: Partial<Caller> = {}, calls: null | [] = []) =>
    admitCaller({ limiter, serverBudget }, { ...CALLER, ...caller }, reservation('r', { calls }));
  return { ask, asked };
}

describe('admission', () => {
  it('asks the limiter with no bounds but its own for a key and a user that have none', async () => {
    const { ask, asked } = setup();
    expect(await ask()).toEqual({
      headers: {
        'x-ratelimit-limit-requests': '30',
        'x-ratelimit-remaining-requests': '7',
        'x-ratelimit-reset-requests': '2s',
      },
    });
    expect(asked).toStrictEqual([{ ...reservation('r'), budgets: {} }]);
  });

  it('hands on the limit of the key and both budgets, also those of nothing', async () => {
    const { ask, asked } = setup();
    await ask({ limits: { requestsPerMinute: 0, budgetNanoUsd: 0 }, budgetNanoUsd: 0 });
    await ask({ limits: { requestsPerMinute: 10, budgetNanoUsd: 2 }, budgetNanoUsd: 3 });
    expect(asked).toStrictEqual([
      { ...reservation('r'), keyMax: 0, budgets: { keyNanoUsd: 0, userNanoUsd: 0 } },
      { ...reservation('r'), keyMax: 10, budgets: { keyNanoUsd: 2, userNanoUsd: 3 } },
    ]);
  });

  it('tells the lower of the limits of user and key', async () => {
    const { ask } = setup();
    const told = async (requestsPerMinute: number) => {
      const answer = await ask({ limits: { requestsPerMinute } });
      return answer.headers?.['x-ratelimit-limit-requests'];
    };
    expect([await told(10), await told(50)]).toEqual(['10', '30']);
  });

  it('refuses what the budget of the deployment does not pay, before it takes a slot', async () => {
    const { ask, asked } = setup({ serverSpent: true });
    expect(await ask()).toMatchObject({
      code: 'budget_used_up',
      text: 'The monthly budget of this server ($5.00) is used up, or set aside for requests under way.',
    });
    expect(asked).toEqual([]);
  });

  it('asks no budget for a request that opens no ledger record', async () => {
    const { ask, asked } = setup({ serverSpent: true });
    expect(await ask({ limits: { budgetNanoUsd: 0 }, budgetNanoUsd: 0 }, null)).toHaveProperty('headers');
    expect(asked).toStrictEqual([reservation('r', { calls: null })]);
  });

  it('refuses a caller who is known to be denied without asking anybody', async () => {
    const { ask, asked } = setup({ serverSpent: true });
    const denial: Admission = { admitted: false, waitMs: 12_001 };
    expect(await ask({ denial, limits: { requestsPerMinute: 5 } })).toMatchObject({
      code: 'rate_limited',
      headers: { 'retry-after': '13', 'x-ratelimit-limit-requests': '5' },
    });
    expect(asked).toEqual([]);
  });
});

describe('the answer to an admission', () => {
  it('is a 429 with nothing left until a slot frees, where there is no room', () => {
    expect(answerOf({ admitted: false, waitMs: 59_001 }, LIMIT)).toEqual({
      refused: true,
      code: 'rate_limited',
      text: 'Rate limit exceeded',
      headers: {
        'x-ratelimit-limit-requests': '30',
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '60s',
        'retry-after': '60',
      },
    });
  });

  it('is a 403 where a budget is used up', () => {
    expect(answerOf({ admitted: false, usedUp: { owner: 'key', budgetNanoUsd: 25e7 } }, LIMIT)).toMatchObject({
      code: 'budget_used_up',
      text: 'The monthly budget of this key ($0.25) is used up, or set aside for requests under way.',
    });
  });
});
