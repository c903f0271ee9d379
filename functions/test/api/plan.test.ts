import { type App, CHAT, RUN_ENDPOINTS, startApp } from '../support/app';
import { readStream, type WireRun, type WireUsage } from '../support/wire';

interface WirePlan {
  readonly plan: Readonly<Record<string, unknown>>;
}

const OPTIONS = { dryRun: true, strategy: 'competitive_refinement', models: ['demo-ada', 'demo-blaise'], rounds: 2 };
const REQUEST = { ai_ensemble: { ...OPTIONS, includeFollowUpPrompts: true } };
/** Nine tokens of the question; 350 of our words and 1,205 of each text read at the most; demo models: 100 and 400 nano-USD. */
const ASK = { low: 9, high: 359 };
const TEXT = { low: 50, high: 1_205 };
const promptOf = (reads: number) => ({ low: ASK.low + reads * TEXT.low, high: ASK.high + reads * TEXT.high });

describe.each(RUN_ENDPOINTS)('POST $path: ai_ensemble.dryRun', ({ path, body: smallest, send, answerOf }) => {
  let app: App;
  beforeEach(async () => {
    app = await startApp();
  });
  afterEach(() => app.close());

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
    const promptTokens = { low: ASK.low + promptOf(2).low, high: ASK.high + promptOf(2).high };
    const completionTokens = { low: 2 * TEXT.low, high: 2 * TEXT.high };
    const cost = (end: 'low' | 'high'): number => (promptTokens[end] * 100 + completionTokens[end] * 400) / 1e9;
    expect(plan['models']).toEqual([
      expect.objectContaining({ modelId: ada, calls: 4 }),
      { modelId: blaise, calls: 2, promptTokens, completionTokens, costUsd: { low: cost('low'), high: cost('high') } },
    ]);
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

  it('names what a key may not call', async () => {
    const key = await app.newKey('alice', 'narrow', { models: ['demo-ada'] });
    expect((await send(app, REQUEST, key)).status).toBe(403);
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
  it('goes straight to the answer, and says so', async () => {
    await using app = await startApp();
    const options = { models: ['demo-ada', 'demo-blaise', 'demo-curie'], rounds: 3 };
    const { body, calls } = await app.complete({ ...CHAT, ai_ensemble: { ...options, maxCostUsd: 0.0001 } });
    expect(calls.map(({ purpose }) => purpose)).toEqual(['answer']);
    expect(body.degraded).toEqual(['Only Demo Ada was asked: more could cost more than maxCostUsd']);
    const enough = await app.complete({ ...CHAT, ai_ensemble: { ...options, maxCostUsd: 1 } });
    expect(enough.calls).toHaveLength(10);
    expect(enough.body).not.toHaveProperty('degraded');
  });
});
