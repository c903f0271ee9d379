import { errorBody } from '../support/api-errors';
import { bearer, CHAT, CHAT_PATH, EVALUATIONS_PATH, RESPONSES_PATH, startApp } from '../support/app';
import { during } from '../support/during';
import { until } from '../support/until';

/** gpt-4o-mini: 150 nano-USD a prompt token, 600 a completion token; the test's models report one of each. */
const MODEL = 'gpt-4o-mini';
const RUN_NANO_USD = 750;

const usedUp = (owner: string, amount: string) => ({
  status: 403,
  body: errorBody(
    `${owner === 'user' ? 'Your monthly budget' : `The monthly budget of this ${owner}`} (${amount}) is used up, or set aside for requests under way. It begins anew on 2026-02-01 (UTC).`,
    'permission_error',
  ),
});

describe('monthly budgets', () => {
  const app = during('each', startApp);

  const chat = async (key = app.key) => {
    const response = await app.post(CHAT_PATH, { ...CHAT, model: MODEL }, bearer(key));
    return { status: response.status, body: await response.json(), headers: response.headers };
  };
  const spend = async (runs: number, key = app.key) => {
    for (let run = 0; run < runs; run += 1) expect((await chat(key)).status).toBe(200);
  };

  it("of a key: 403 once its requests have cost that much; its user's other keys go on", async () => {
    const key = await app.newKey('alice', 'small', { budgetNanoUsd: 2 * RUN_NANO_USD });
    await spend(1);
    await spend(2, key);
    expect(await chat(key)).toMatchObject(usedUp('key', '$0.0000015'));
    await spend(1);
  });

  it('of a user: over all keys and endpoints, and from the next request on', async () => {
    const second = await app.newKey('alice', 'second');
    await spend(1);
    await spend(1, second);
    await app.container.store.setUserBudget('alice', 2 * RUN_NANO_USD);
    expect(await chat()).toMatchObject(usedUp('user', '$0.0000015'));
    expect(await chat(second)).toMatchObject(usedUp('user', '$0.0000015'));
    const answer = { modelId: 'a', modelName: 'A', response: 'Yes.' };
    const evaluation = { prompt: 'Why?', responses: [answer], judge_models: [{ id: MODEL, name: 'Judge' }] };
    expect((await app.post(RESPONSES_PATH, { model: MODEL, input: 'Why?' })).status).toBe(403);
    expect((await app.post(EVALUATIONS_PATH, evaluation)).status).toBe(403);
    await app.container.store.setUserBudget('alice', 2 * RUN_NANO_USD + 1);
    await spend(1);
  });

  it('of the deployment: over all users', async () => {
    await app.container.store.setServerBudget(2 * RUN_NANO_USD);
    const bob = await app.user('bob', 'pro');
    // The estimate of a run under way is more than it costs: each figure must be read anew.
    await spend(1);
    await app.clock.advance(15_000);
    await spend(1, bob);
    await app.clock.advance(15_000);
    expect(await chat()).toMatchObject(usedUp('server', '$0.0000015'));
    expect(await chat(bob)).toMatchObject(usedUp('server', '$0.0000015'));
  });

  it('that are used up cost no slot, call no model and hide no usage', async () => {
    await spend(1);
    await app.container.store.setUserBudget('alice', 0);
    const { length } = app.models.calls;
    for (let count = 0; count < 40; count += 1) expect((await chat()).status).toBe(403);
    expect(app.models.calls).toHaveLength(length);
    const usage = await app.get('/v1/usage');
    expect([usage.status, usage.headers.get('x-ratelimit-remaining-requests')]).toEqual([200, '28']);
    expect((await app.get('/v1/models')).status).toBe(200);
  });

  it('are exceeded by about one reply when many long ones are asked for at once', async () => {
    const budgetNanoUsd = 20_000_000;
    await app.container.store.setUserBudget('alice', budgetNanoUsd);
    // $0.0037 each: 30 of them, as many as a minute admits, are $0.111.
    const usage = { promptTokens: 1, completionTokens: 6_166 };
    app.models.play(() => ({ text: 'A berry.', delayMs: 1_000, usage }));
    const spentNanoUsd = async () =>
      (await app.container.store.readSpend({ userId: 'alice', month: '2026-01' })).userNanoUsd;
    const wave = async (requests: number) => {
      const before = app.models.calls.length;
      const statuses: number[] = [];
      const replies = Array.from({ length: requests }, async () => statuses.push((await chat()).status));
      await until(() => statuses.length + app.models.calls.length - before === requests);
      const admitted = app.models.calls.length - before;
      await app.clock.advance(1_000);
      await Promise.all(replies);
      expect(statuses.filter((status) => status === 200)).toHaveLength(admitted);
      return admitted;
    };
    // Nothing is known of the model: each is set aside with 4,096 tokens.
    expect(await wave(30)).toBe(9);
    expect(await spentNanoUsd()).toBeLessThan(1.7 * budgetNanoUsd);
    // After as many replies it is known how long they are.
    await app.clock.advance(60_000);
    await app.container.store.setUserBudget('alice', (await spentNanoUsd()) + budgetNanoUsd);
    expect(await wave(30)).toBe(6);
  });
});
