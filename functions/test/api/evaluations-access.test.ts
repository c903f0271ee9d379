import { INTERNAL } from '../support/api-errors';
import { answer, EVALUATIONS_PATH, judges, QUESTION, startApp } from '../support/app';
import type { WireEvaluations } from '../support/wire';

const BODY = { prompt: QUESTION, responses: [answer('a', 'Yes.')], judge_models: judges('x') };

describe('POST /v1/evaluations: who may ask', () => {
  it('is decided as for every route: method, key, subscription, limit', async () => {
    await using app = await startApp();
    const post = async (key: string): Promise<number> =>
      (await app.post('/v1/evaluations', BODY, { authorization: `Bearer ${key}` })).status;
    expect((await app.get('/v1/evaluations')).status).toBe(405);
    expect(await post('sk-ens_wrong')).toBe(401);
    expect(await post(await app.user('bob'))).toBe(403);
    const statuses: number[] = [];
    for (let count = 0; count < 31; count += 1) statuses.push(await post(app.key));
    expect(statuses).toEqual([...Array(30).fill(200), 429]);
  });
});

describe('POST /v1/evaluations: a failing store', () => {
  it.each([
    { rule: 'before any judge is called the 500 may be retried', method: 'admit', shouldRetry: null, calls: 0 },
    { rule: 'after judges were called it must not be', method: 'checkpoint', shouldRetry: 'false', calls: 16 },
  ] as const)('$rule', async ({ method, shouldRetry, calls }) => {
    const broken = async (): Promise<never> => {
      throw new Error('disk full at /var/secret');
    };
    await using app = await startApp({ wrapStore: (store) => ({ ...store, [method]: broken }) });
    // Sixteen calls are in the reservation, those of two providers at once; the others would be listed one by one.
    const judge_models = judges(...Array(10).fill('gpt-4o'), ...Array(10).fill('claude-sonnet-5'));
    const reply = await app.send<unknown>(EVALUATIONS_PATH, { ...BODY, judge_models });
    expect({ status: reply.status, body: reply.body }).toEqual({ status: 500, body: INTERNAL });
    expect(reply.headers.get('x-should-retry')).toBe(shouldRetry);
    expect(reply.calls.length).toBeLessThanOrEqual(calls);
  });

  it('a ledger that cannot be settled does not cost the caller the scores (200)', async () => {
    await using app = await startApp({
      wrapStore: (store) => ({ ...store, settle: () => Promise.reject(new Error('disk full')) }),
    });
    const { status, body } = await app.send<WireEvaluations>(EVALUATIONS_PATH, BODY);
    expect({ status, score: body.evaluations[0]?.overallScore }).toEqual({ status: 200, score: 7 });
  });
});
