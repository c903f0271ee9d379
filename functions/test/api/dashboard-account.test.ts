import { type App, startApp } from '../support/app';
import { ask, LOCAL_USER } from '../support/dashboard';
import { type FakeUpstream, sendStatus, startFakeUpstream } from '../support/fake-upstream';
import { callRow, rateLimit, reservation, settlement } from '../support/store-records';

const ROUTER_KEY = 'sk-or-canary-0123456789';
const MODELS = [
  {
    id: 'owl/eagle-1',
    name: 'Owl: Eagle 1',
    context_length: 200_000,
    architecture: { input_modalities: ['image'] },
    supported_parameters: ['tools'],
  },
  { id: 'owl/mole-2', name: 'Owl: Mole 2', context_length: 32_000 },
  { id: 'fox/red', name: 'Fox: Red' },
];
const EAGLE = { slug: 'owl/eagle-1', name: 'Owl: Eagle 1', contextTokens: 200_000, vision: true, tools: true };
const MOLE = { slug: 'owl/mole-2', name: 'Owl: Mole 2', contextTokens: 32_000, vision: false, tools: false };
const RED = { slug: 'fox/red', name: 'Fox: Red', contextTokens: null, vision: false, tools: false };

describe('the account in the dashboard', () => {
  let router: FakeUpstream;
  let app: App;
  let key: string;
  beforeAll(async () => {
    router = await startFakeUpstream(sendStatus(200, { data: MODELS }));
  });
  beforeEach(async () => {
    app = await startApp({ env: { ROUTER_BASE_URL: `${router.url}/api/v1` } });
    key = await app.user(LOCAL_USER, 'pro');
  });
  afterEach(() => app.close());
  afterAll(() => router.close());

  const get = async (path: string) => (await ask(app, { path })).body;
  const send = (method: string, path: string, body?: object) => ask(app, { method, path, ...(body && { body }) });
  const acts = async () => (await ask<{ acts: { what: string }[] }>(app, { path: 'audit' })).body.acts;

  it('has a plan, with what it allows and what of it is used', async () => {
    await app.container.store.setUserBudget(LOCAL_USER, 5_000_000_000);
    await app.complete({}, key);
    const { spentUsd, ...plan } = await get('plan');
    expect(plan).toEqual({
      ...{ renewsAt: null, endsAt: null, trialEndsAt: null },
      ...{ userId: LOCAL_USER, tier: 'pro', status: 'active', budgetUsd: 5 },
      allows: { api: true, routerModels: true },
      requestsPerMinute: { api: 30, routerModels: 10 },
      grant: { tokens: 300_000, usedTokens: 0, leasedTokens: 0 },
      monthEndsAt: '2026-02-01T00:00:00.000Z',
    });
    expect(spentUsd).toBeGreaterThan(0);
  });

  it('has a plan that says when it goes on, when it ends, and how long it is tried', async () => {
    const [renewsAtMs, endsAtMs, trialEndsAtMs] = ['2026-02-01', '2026-03-01', '2026-01-20'].map(Date.parse);
    const said = { userId: LOCAL_USER, tier: 'pro', status: 'trialing', sourceUpdatedAtMs: app.clock.nowMs() };
    const terms = { renewsAtMs: renewsAtMs ?? 0, trialEndsAtMs: trialEndsAtMs ?? 0 };
    await app.container.store.putSubscription({ ...said, ...terms });
    expect(await get('plan')).toMatchObject({
      ...{ status: 'trialing', renewsAt: '2026-02-01T00:00:00.000Z', trialEndsAt: '2026-01-20T00:00:00.000Z' },
      endsAt: null,
    });
    await app.container.store.putSubscription({ ...said, endsAtMs: endsAtMs ?? 0 });
    expect(await get('plan')).toMatchObject({ renewsAt: null, endsAt: '2026-03-01T00:00:00.000Z', trialEndsAt: null });
  });

  it('has months of usage by model and key, those without use as well', async () => {
    await app.complete({}, key);
    const { months } = (await ask<{ months: Record<string, unknown>[] }>(app, { path: 'usage' })).body;
    expect(months.map(({ month }) => month)).toEqual([
      ...['2025-08', '2025-09', '2025-10', '2025-11', '2025-12', '2026-01'],
    ]);
    expect(months[0]).toEqual({
      month: '2025-08',
      requests: 0,
      promptTokens: 0,
      completionTokens: 0,
      costUsd: 0,
      models: [],
      keys: [],
    });
    const { body } = await app.read<{ data: Record<string, unknown>[] }>('/v1/usage', key);
    const [record] = body.data;
    expect(months[5]).toMatchObject({
      unfinished: true,
      requests: record?.['n_requests'],
      promptTokens: record?.['n_context_tokens_total'],
      completionTokens: record?.['n_generated_tokens_total'],
      costUsd: record?.['total_cost'],
      models: [expect.objectContaining({ id: 'demo-ada', requests: 1, costUsd: record?.['total_cost'] })],
      keys: [expect.objectContaining({ name: `${LOCAL_USER}-key`, requests: 1 })],
    });
  });

  it('says why a model cost nothing: no price was known, or the router bills it', async () => {
    await send('POST', 'router-models', { slugs: ['owl/eagle-1'] });
    const row = (modelId: string, costNanoUsd: number) =>
      callRow(modelId, { modelId, modelName: modelId, costNanoUsd });
    const asked = reservation('r1', { userId: LOCAL_USER, month: '2026-01', startedAtMs: app.clock.nowMs() });
    await app.container.store.admit(rateLimit(9), [asked], asked.startedAtMs);
    const rows = [row('my-own', 0), row('owl/eagle-1', 0), row('owl/mole-2', 0), row('dear', 7)];
    await app.container.store.settle(settlement('r1', rows));
    const { body } = await ask<{ months: { models: Record<string, unknown>[] }[] }>(app, { path: 'usage' });
    const models = body.months[5]?.models ?? [];
    expect(new Map(models.map(({ id, priced, billedBy }) => [id, { priced, billedBy }]))).toEqual(
      new Map<string, object>([
        ['dear', {}],
        ['my-own', { priced: false }],
        ['owl/eagle-1', { billedBy: 'router' }],
        ['owl/mole-2', { priced: false }],
      ]),
    );
  });

  it('says why a key cost nothing only where all that it can have used cost nothing for one reason', async () => {
    const { store } = app.container;
    const line = async (keyId: string, modelId: string, month: string, costNanoUsd = 0) => {
      const about = { userId: LOCAL_USER, month, startedAtMs: Date.parse(`${month}-10`), keyId, keyName: keyId };
      const asked = reservation(`${keyId} ${modelId} ${month}`, about);
      await store.admit(rateLimit(99), [asked], about.startedAtMs);
      const call = callRow('call', { modelId, modelName: modelId, costNanoUsd });
      await store.settle(settlement(asked, [call]));
    };
    await send('POST', 'router-models', { slugs: ['owl/eagle-1'] });
    await line('a', 'my-own', '2025-09');
    await line('b', 'dear', '2025-09', 7);
    await line('a', 'owl/eagle-1', '2025-10');
    await line('b', 'dear', '2025-10', 7);
    await line('a', 'owl/eagle-1', '2025-11');
    await line('b', 'my-own', '2025-11');
    const { body } = await ask<{ months: { keys: { id: string }[] }[] }>(app, {
      path: 'usage?from=2025-09&to=2025-11',
    });
    const reasons = body.months.map(({ keys }) =>
      Object.fromEntries(
        keys.map((key) => [
          key.id,
          Object.keys(key).filter((name) => ['priced', 'billedBy', 'costKnown'].includes(name)),
        ]),
      ),
    );
    expect(reasons).toEqual([
      { a: ['priced'], b: [] },
      { a: ['billedBy'], b: [] },
      { a: ['costKnown'], b: ['costKnown'] },
    ]);
  });

  it.each([
    ['from=2024-01&to=2026-01', 'Invalid from: at most 24 months at a time'],
    ['from=2026-02&to=2026-01', 'Invalid from: must not be after to'],
    ['from=2026-13', 'Invalid from: must be a month such as 2026-01'],
    ['to=2026-01-01', 'Invalid to: must be a month such as 2026-01'],
  ])('has no months %s', async (query, message) => {
    const { status, body } = await ask(app, { path: `usage?${query}` });
    expect({ status, body }).toEqual({ status: 400, body: { error: { message, type: 'invalid_request_error' } } });
  });

  it('has a router key, of which the last four characters are shown', async () => {
    expect(await get('router-key')).toEqual({ saved: null });
    const saved = { saved: { last4: '6789', savedAt: '2026-01-15T12:00:00.000Z' } };
    const { text, body } = await send('PUT', 'router-key', { key: ROUTER_KEY });
    expect(body).toEqual(saved);
    expect(await get('router-key')).toEqual(saved);
    expect([text, JSON.stringify(await acts()), ...app.logLines].filter((line) => line.includes('canary'))).toEqual([]);
    expect((await send('DELETE', 'router-key')).body).toEqual({ saved: null });
    expect((await send('DELETE', 'router-key')).status).toBe(404);
    expect((await acts()).map(({ what }) => what)).toEqual(['router_key.remove', 'router_key.save', 'keys.create']);
  });

  it('has router models: searched for, added, removed', async () => {
    const found = async (words: string) => (await get(`router-catalog?q=${encodeURIComponent(words)}`))['models'];
    expect(await found('')).toEqual([RED, EAGLE, MOLE]);
    expect(await found(' OWL mole')).toEqual([MOLE]);
    expect(await found('nothing')).toEqual([]);
    expect((await ask(app, { path: `router-catalog?q=${'x'.repeat(201)}` })).status).toBe(400);

    const added = await send('POST', 'router-models', { slugs: ['owl/eagle-1', 'fox/red'] });
    const addedAt = '2026-01-15T12:00:00.000Z';
    const listed = [
      { ...RED, addedAt },
      { ...EAGLE, addedAt },
    ];
    expect(added.body).toEqual({ models: listed, max: 100 });
    expect(await get('router-models')).toEqual({ models: listed, max: 100 });
    expect((await send('DELETE', 'router-models/owl/eagle-1')).body).toEqual({
      models: [{ ...RED, addedAt }],
      max: 100,
    });
    expect((await send('DELETE', `router-models/${encodeURIComponent('fox/red')}`)).body).toEqual({
      models: [],
      max: 100,
    });
    expect((await send('DELETE', 'router-models/fox/red')).status).toBe(404);
  });

  it('has the models of the platform as the API lists them, without the virtual ones', async () => {
    const { body } = await app.read<{ data: { id: string }[] }>('/v1/models', key);
    expect((await get('models'))['models']).toEqual(body.data.filter(({ id }) => !id.startsWith('ensemble')));
  });

  it('says where the acts of an operator and of the user came from, newest first', async () => {
    await send('PUT', 'router-key', { key: ROUTER_KEY });
    expect((await acts()).slice(0, 1)).toEqual([
      {
        id: expect.any(String),
        at: '2026-01-15T12:00:00.000Z',
        by: 'user',
        what: 'router_key.save',
        target: null,
        network: '127.0.0.0/24',
        details: { last4: '6789' },
      },
    ]);
  });
});
