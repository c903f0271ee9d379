import { startApp } from '../support/app';
import { ask, LOCAL_USER } from '../support/dashboard';
import { during } from '../support/during';
import { sendStatus, startFakeUpstream } from '../support/fake-upstream';
import { callRow, rateLimit, reservation, settlement } from '../support/store-records';

const ROUTER_KEY = 'sk-or-canary-0123456789';
const MODELS = [
  {
    id: 'owl/eagle-1',
    name: 'Owl: Eagle 1',
    context_length: 200_000,
    architecture: { input_modalities: ['image'] },
    supported_parameters: ['tools'],
    pricing: { prompt: '0.00000025', completion: '0.00001', request: '0' },
  },
  { id: 'owl/mole-2', name: 'Owl: Mole 2', context_length: 32_000 },
  { id: 'fox/red', name: 'Fox: Red' },
];
const EAGLE = { slug: 'owl/eagle-1', name: 'Owl: Eagle 1', contextTokens: 200_000, vision: true, tools: true };
const MOLE = { slug: 'owl/mole-2', name: 'Owl: Mole 2', contextTokens: 32_000, vision: 'unknown', tools: 'unknown' };
const RED = { slug: 'fox/red', name: 'Fox: Red', contextTokens: null, vision: 'unknown', tools: 'unknown' };

describe('the account in the dashboard', () => {
  const router = during('all', () => startFakeUpstream(sendStatus(200, { data: MODELS })));
  const app = during('each', () => startApp({ env: { ROUTER_BASE_URL: `${router.url}/api/v1` } }));
  let key: string;
  beforeEach(async () => {
    key = await app.user(LOCAL_USER, 'pro');
  });

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
    const names = ['2025-08', '2025-09', '2025-10', '2025-11', '2025-12', '2026-01'];
    expect(months.map(({ month }) => month)).toEqual(names);
    const nothing = { requests: 0, promptTokens: 0, completionTokens: 0, costUsd: 0, models: [], keys: [], days: [] };
    expect(months[0]).toEqual({ month: '2025-08', ...nothing });
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
      days: [{ day: '2026-01-15', requests: 1, costUsd: record?.['total_cost'] }],
    });
  });

  it('says why a model cost nothing, and a key only where all that it can have used did for one reason', async () => {
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
    await line('b', 'owl/mole-2', '2025-11');
    type Lines = readonly Readonly<Record<string, unknown>>[];
    const { body } = await ask<{ months: { models: Lines; keys: Lines }[] }>(app, {
      path: 'usage?from=2025-09&to=2025-11',
    });
    const reasonsOf = (lines: Lines) =>
      Object.fromEntries(lines.map(({ id, priced, billedBy, costKnown }) => [id, priced ?? billedBy ?? costKnown]));
    expect(body.months.map(({ models }) => reasonsOf(models))).toEqual([
      { 'my-own': false, dear: undefined },
      { 'owl/eagle-1': 'router', dear: undefined },
      { 'owl/eagle-1': 'router', 'owl/mole-2': false },
    ]);
    expect(body.months.map(({ keys }) => reasonsOf(keys))).toEqual([
      { a: false, b: undefined },
      { a: 'router', b: undefined },
      { a: false, b: false },
    ]);
    expect(body.months[2]?.keys).toMatchObject([{ costKnown: false }, { costKnown: false }]);
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
    expect(await found('')).toEqual([
      { ...RED, price: null },
      { ...EAGLE, price: { inputUsdPerMillion: 0.25, outputUsdPerMillion: 10 } },
      { ...MOLE, price: null },
    ]);
    expect(await found(' OWL mole')).toEqual([{ ...MOLE, price: null }]);
    expect(await found('nothing')).toEqual([]);
    expect((await ask(app, { path: `router-catalog?q=${'x'.repeat(201)}` })).status).toBe(400);

    const added = await send('POST', 'router-models', { slugs: ['owl/eagle-1', 'fox/red'] });
    const addedAt = '2026-01-15T12:00:00.000Z';
    const listed = [RED, EAGLE].map((model) => ({ ...model, addedAt }));
    expect(added.body).toEqual({ models: listed, max: 100 });
    expect(await get('router-models')).toEqual({ models: listed, max: 100 });
    const removed = async (slug: string) => (await send('DELETE', `router-models/${slug}`)).body;
    expect(await removed('owl/eagle-1')).toEqual({ models: listed.slice(0, 1), max: 100 });
    expect(await removed(encodeURIComponent('fox/red'))).toEqual({ models: [], max: 100 });
    expect((await send('DELETE', 'router-models/fox/red')).status).toBe(404);
  });

  it('has the models of the platform as the API lists them, without the virtual ones', async () => {
    const { body } = await app.read<{ data: { id: string }[] }>('/v1/models', key);
    expect((await get('models'))['models']).toEqual(body.data.filter(({ id }) => !id.startsWith('ensemble')));
  });

  it('says where the acts of an operator and of the user came from, newest first', async () => {
    await send('PUT', 'router-key', { key: ROUTER_KEY });
    const place = { by: 'user', network: '127.0.0.0/24', at: '2026-01-15T12:00:00.000Z', id: expect.any(String) };
    const act = { what: 'router_key.save', target: null, details: { last4: '6789' } };
    expect((await acts())[0]).toEqual({ ...place, ...act });
  });
});
