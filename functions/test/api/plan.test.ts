import { CHAT, RUN_ENDPOINTS, startApp } from '../support/app';
import { during } from '../support/during';
import { FORMAT } from '../support/verdict-format';
import { readStream, type WireRun, type WireUsage } from '../support/wire';

interface WireRange {
  readonly low: number;
  readonly high: number;
}

interface WireShare {
  readonly modelId: string;
  readonly calls: number;
  readonly promptTokens: WireRange;
  readonly completionTokens: WireRange;
  readonly costUsd: WireRange;
}

interface WirePlan {
  readonly plan: Readonly<Record<string, unknown>>;
}

const OPTIONS = { dryRun: true, strategy: 'competitive_refinement', models: ['demo-ada', 'demo-blaise'], rounds: 2 };
const REQUEST = { ai_ensemble: { ...OPTIONS, includeFollowUpPrompts: true } };
/** At least a draft of 50 tokens, from nine of the question; at most two texts of 1,200 and the question's 5, with 350 of our words. */
const READ = { low: 9, high: 2 * (9 + 350) + 2 * 1_205 };
const WRITTEN = { low: 50, high: 2 * 1_205 };

describe.each(RUN_ENDPOINTS)('POST $path: ai_ensemble.dryRun', ({ path, body: smallest, send, answerOf }) => {
  const app = during('each', startApp);

  it('plans the request and calls nothing', async () => {
    const { status, body, calls } = await send(app, REQUEST);
    expect(status).toBe(200);
    expect(calls).toEqual([]);
    const { plan, degraded } = body as WireRun & WirePlan;
    expect(degraded).toBeUndefined();
    expect(plan).toMatchObject({ strategy: 'competitive_refinement', calls: 6, seconds: 60 });
    const [ada, blaise] = ['demo-ada', 'demo-blaise'];
    expect(plan['waves']).toEqual([
      { calls: [ada, blaise].map((modelId) => ({ modelId, purpose: 'draft' })) },
      { round: 2, calls: [ada, blaise].map((modelId) => ({ modelId, purpose: 'revise' })) },
      { calls: ['answer', 'follow_ups'].map((purpose) => ({ modelId: ada, purpose })) },
    ]);
    // Blaise drafts, then revises with both drafts before it.
    const [, second, ...others] = plan['models'] as readonly WireShare[];
    expect(others).toEqual([]);
    // 100 and 400 nano-USD a token.
    const costUsdOf = (end: 'low' | 'high'): number => (READ[end] * 100 + WRITTEN[end] * 400) / 1e9;
    expect(second).toEqual({
      modelId: blaise,
      calls: 2,
      promptTokens: READ,
      completionTokens: WRITTEN,
      costUsd: { low: costUsdOf('low'), high: costUsdOf('high') },
    });
    expect(answerOf(body)).toMatch(
      /^Nothing was called\. This request makes at most 6 calls in 3 waves, costs about \$0\.\d+ to \$0\.\d+ and takes about 60 seconds\.$/,
    );
  });

  it('streams the same plan beside the end', async () => {
    const whole = await send(app, REQUEST);
    const { chunks, done } = await readStream(await app.post(path, { ...smallest, ...REQUEST, stream: true }));
    expect(done).toBe(true);
    expect(chunks.at(-1)).toHaveProperty('plan', (whole.body as WireRun & WirePlan).plan);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(answerOf(whole.body));
  });

  it('takes no rate slot and leaves no record', async () => {
    const { headers } = await send(app, REQUEST);
    expect(headers.get('x-ratelimit-remaining-requests')).toBeNull();
    const { body } = await app.read<WireUsage>('/v1/usage');
    expect(body.data.map(({ n_requests }) => n_requests)).toEqual([]);
  });

  it('says for which models no price is known, and that one model is one call', async () => {
    const { body } = await send(app, { model: 'nobody-knows', ai_ensemble: { dryRun: true } });
    expect((body as WireRun & WirePlan).plan).toMatchObject({
      strategy: 'pass_through',
      calls: 1,
      costUsd: { low: 0, high: 0 },
      unpricedModels: ['nobody-knows'],
    });
  });

  it('who is over the rate limit gets no plan either', async () => {
    for (let requests = 0; requests < 30; requests += 1) await app.post(path, smallest);
    expect((await app.post(path, smallest)).status).toBe(429);
    expect((await app.post(path, { ...smallest, ...REQUEST })).status).toBe(429);
  });
});

describe('ai_ensemble.maxCostUsd', () => {
  it('is taken into account by a plan, which says what is left out', async () => {
    await using app = await startApp();
    const options = { ...OPTIONS, rounds: 3, dryRun: true };
    const planOf = async (maxCostUsd: number) => {
      const { body, calls } = await app.complete({ ...CHAT, ai_ensemble: { ...options, maxCostUsd } });
      expect(calls).toEqual([]);
      return (body as unknown as WirePlan).plan;
    };
    expect(await planOf(0.0001)).toMatchObject({
      strategy: 'pass_through',
      calls: 1,
      leftOut: ['Only Demo Ada was asked: more could cost more than maxCostUsd'],
    });
    expect(await planOf(1)).not.toHaveProperty('leftOut');
  });

  it('leaves an answer as it is that would have to be asked for again, and says so', async () => {
    await using app = await startApp();
    // A thousandth of a dollar at 400 nano-USD a token.
    const usage = { promptTokens: 1, completionTokens: 2_500 };
    app.models.play((call) => ({ text: call.purpose === 'answer' ? '{"fruit": "yes"}' : 'A berry.', usage }));
    const options = { models: ['demo-blaise', 'demo-curie'], maxCostUsd: 0.0035 };
    const { body, calls } = await app.complete({ ...CHAT, response_format: FORMAT, ai_ensemble: options });
    expect(calls.map(({ purpose }) => purpose)).toEqual(['draft', 'draft', 'answer']);
    expect(body.degraded).toEqual([
      'The answer was not asked for again: more could cost more than maxCostUsd',
      'The answer is not in the form asked for: /fruit must be boolean; /why is missing',
    ]);
  });
});
