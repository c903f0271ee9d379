import { bearer, CHAT, CHAT_PATH, startApp } from '../support/app';
import { ask, LOCAL_USER } from '../support/dashboard';
import { during } from '../support/during';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Key {
  readonly id: string;
  readonly key: string;
  readonly state: string;
  readonly lastUsedAt: string | null;
  readonly expiresAt: string | null;
  readonly spentUsd: number;
  readonly [field: string]: unknown;
}

describe('keys in the dashboard', () => {
  const app = during('each', startApp);
  beforeEach(async () => {
    const sourceUpdatedAtMs = app.clock.nowMs();
    await app.container.store.putSubscription({ userId: LOCAL_USER, tier: 'pro', status: 'active', sourceUpdatedAtMs });
  });

  const create = async (fields: object = {}) =>
    ask<Key>(app, { method: 'POST', path: 'keys', body: { name: 'laptop', ...fields } });
  const list = async () => (await ask<{ keys: Key[] }>(app, { path: 'keys' })).body.keys;
  const statusOf = async (key: string) => (await app.post(CHAT_PATH, CHAT, bearer(key))).status;
  const acts = async () => (await ask<{ acts: Record<string, unknown>[] }>(app, { path: 'audit' })).body.acts;

  it('are made with limits, shown once, and work', async () => {
    const limits = { budgetUsd: 2.5, models: ['demo-*'], endpoints: ['chat.completions'], requestsPerMinute: 7 };
    const { status, body } = await create({ name: ' ci ', expiresAt: '2026-02-01T00:00:00Z', ...limits });
    expect(status).toBe(200);
    const { key, id, ...visible } = body;
    expect(key).toMatch(/^sk-ens_[0-9A-Za-z]{49}$/);
    expect(visible).toEqual({
      ...{ name: 'ci', prefix: 'sk-ens_', last4: key.slice(-4), state: 'active', replacedBy: null, spentUsd: 0 },
      ...{ createdAt: '2026-01-15T12:00:00.000Z', lastUsedAt: null, expiresAt: '2026-02-01T00:00:00.000Z' },
      ...limits,
      usageId: id,
    });
    expect(await list()).toEqual([{ id, ...visible }]);
    expect(await statusOf(key)).toBe(200);
    const [used] = await list();
    expect(used?.lastUsedAt).toBe('2026-01-15T12:00:00.000Z');
    expect(used?.spentUsd).toBeGreaterThan(0);
  });

  it('are renamed, and given another end', async () => {
    const { id } = (await create()).body;
    const path = `keys/${id}`;
    const edit = async (body: object) => (await ask<Key>(app, { method: 'PATCH', path, body })).body;
    expect(await edit({ name: 'desk' })).toMatchObject({ id, name: 'desk', expiresAt: null });
    const expiresAt = '2026-01-16T12:00:00.000Z';
    expect(await edit({ expiresAt: '2026-01-16T12:00:00Z' })).toMatchObject({ name: 'desk', expiresAt });
    expect((await edit({ expiresAt: 'never' })).expiresAt).toBeNull();
    const act = { what: 'keys.change', target: id, by: 'user', network: '127.0.0.0/24' };
    const details = [{ expiresAt: null }, { expiresAt }, { name: 'desk' }];
    expect((await acts()).slice(0, 3)).toMatchObject(details.map((each) => ({ ...act, details: each })));
  });

  it('are given another budget, which their next request is held to, and none', async () => {
    const limits = { models: ['demo-*'], requestsPerMinute: 7 };
    const { id, key } = (await create({ budgetUsd: 5, ...limits })).body;
    const edit = async (budgetUsd: unknown) =>
      (await ask<Key>(app, { method: 'PATCH', path: `keys/${id}`, body: { budgetUsd } })).body;
    expect(await statusOf(key)).toBe(200);
    expect(await edit(0.000000001)).toMatchObject({ ...limits, budgetUsd: 0.000000001 });
    expect(await statusOf(key)).toBe(403);
    const unbounded = await edit('none');
    expect(unbounded).toMatchObject(limits);
    expect(unbounded).not.toHaveProperty('budgetUsd');
    expect(await statusOf(key)).toBe(200);
    expect((await acts()).slice(0, 2)).toMatchObject([
      { what: 'keys.change', details: { budgetNanoUsd: null } },
      { what: 'keys.change', details: { budgetNanoUsd: 1 } },
    ]);
  });

  it('keep what is spent of their budget when they are rotated, again and again, the old ones alike', async () => {
    const first = (await create({ budgetUsd: 0.000000001 })).body;
    expect([await statusOf(first.key), await statusOf(first.key)]).toEqual([200, 403]);
    const [{ spentUsd } = { spentUsd: 0 }] = await list();
    const rotate = async ({ id }: Key) =>
      (await ask<Key>(app, { method: 'POST', path: `keys/${id}/rotate`, body: { overlap: '24h' } })).body;
    const second = await rotate(first);
    const third = await rotate(second);
    for (const { key } of [first, second, third]) expect(await statusOf(key)).toBe(403);
    expect(spentUsd).toBeGreaterThan(0);
    expect(third).toMatchObject({ spentUsd, usageId: first.id });
    expect((await list()).map((key) => key.spentUsd)).toEqual([spentUsd, spentUsd, spentUsd]);
    await ask(app, { method: 'PATCH', path: `keys/${second.id}`, body: { budgetUsd: 5 } });
    expect((await list()).map((key) => key['budgetUsd'])).toEqual([5, 5, 5]);
    for (const { key } of [first, second, third]) expect(await statusOf(key)).toBe(200);
    const months = await ask<{ months: { keys: { id: string; requests: number }[] }[] }>(app, { path: 'usage' });
    expect(months.body.months.at(-1)?.keys).toEqual([expect.objectContaining({ id: first.id, requests: 4 })]);
  });

  it('are given other models, endpoints and requests a minute, which their next request is held to, and none', async () => {
    const { id, key } = (await create()).body;
    const edit = async (body: object) => (await ask<Key>(app, { method: 'PATCH', path: `keys/${id}`, body })).body;
    expect(await edit({ models: ['gpt-*'] })).toMatchObject({ models: ['gpt-*'] });
    expect(await statusOf(key)).toBe(403);
    expect(await edit({ models: 'none', endpoints: ['models'] })).not.toHaveProperty('models');
    expect(await statusOf(key)).toBe(403);
    expect(await edit({ endpoints: 'none', requestsPerMinute: 1 })).toMatchObject({ requestsPerMinute: 1 });
    expect([await statusOf(key), await statusOf(key)]).toEqual([200, 429]);
    expect(await edit({ requestsPerMinute: 'none' })).not.toHaveProperty('requestsPerMinute');
    expect((await acts()).slice(0, 4).map(({ details }) => details)).toEqual([
      { requestsPerMinute: null },
      { endpoints: null, requestsPerMinute: 1 },
      { models: null, endpoints: 'models' },
      { models: 'gpt-*' },
    ]);
  });

  it('are rotated: the old one works for the overlap, and not longer', async () => {
    const old = (await create()).body;
    const path = `keys/${old.id}/rotate`;
    const { body: fresh } = await ask<Key>(app, { method: 'POST', path, body: { overlap: '24h' } });
    expect(fresh).toMatchObject({ name: 'laptop', state: 'active' });
    const byId = new Map((await list()).map((key) => [key.id, key]));
    expect(byId.get(old.id)).toMatchObject({
      state: 'rotating',
      replacedBy: fresh.id,
      expiresAt: '2026-01-16T12:00:00.000Z',
    });
    expect([await statusOf(old.key), await statusOf(fresh.key)]).toEqual([200, 200]);
    await app.clock.advance(DAY_MS);
    expect([await statusOf(old.key), await statusOf(fresh.key)]).toEqual([401, 200]);
    const later = { expiresAt: '2026-03-01T00:00:00Z' };
    expect((await ask(app, { method: 'PATCH', path: `keys/${fresh.id}`, body: later })).status).toBe(200);
  });

  const MOMENT = 'expiresAt: must be a moment such as 2026-12-31T00:00:00Z';
  const AMOUNT = 'budgetUsd: must be above 0 and at most a million US dollars';
  const MODELS = 'models: must be 1 to 100 model ids or patterns of at most 200 characters';
  it.each([
    ['POST', '', { name: 7 }, 'name: must be a string'],
    ['POST', '', { expiresAt: 'tomorrow' }, MOMENT],
    ['POST', '', { budgetUsd: '5' }, 'budgetUsd: must be a number of US dollars'],
    ['POST', '', { budgetUsd: 1e300 }, AMOUNT],
    ['POST', '', { models: 'demo-ada' }, 'models: must be a list of model ids or patterns'],
    [
      ...['POST', '', { endpoints: ['everything'] }],
      'endpoints[0]: must be one of chat.completions, responses, messages, mcp, evaluations, runs, usage, models',
    ],
    ['POST', '/ID/rotate', { overlap: '2h' }, 'overlap: must be one of 0, 1h, 24h, 7d'],
    ['PATCH', '/ID', { expiresAt: 5 }, `${MOMENT}, or never`],
    ['PATCH', '/ID', { budgetUsd: '5' }, 'budgetUsd: must be a number of US dollars, or none'],
    ['PATCH', '/ID', { budgetUsd: 0 }, AMOUNT],
    ['PATCH', '/ID', { models: 'gpt-x' }, 'models: must be a list of model ids or patterns, or none'],
    ['PATCH', '/ID', { models: [] }, MODELS],
    [
      ...['PATCH', '/ID', { endpoints: ['everything'] }],
      'endpoints: must be a list of chat.completions, responses, messages, mcp, evaluations, runs, usage, models, or none',
    ],
    [
      'PATCH',
      '/ID',
      { requestsPerMinute: 31 },
      'requestsPerMinute: must be an integer from 1 to 30, which is the limit of a user',
    ],
  ] as [string, string, object, string][])('%s keys%s with %j is refused and changes nothing', async (...row) => {
    const [method, path, fields, rule] = row;
    const { id } = (await create()).body;
    const body = method === 'POST' && path === '' ? { name: 'laptop', ...fields } : fields;
    const reply = await ask(app, { method, path: `keys${path.replace('ID', id)}`, body });
    const error = { message: `Invalid ${rule}`, type: 'invalid_request_error' };
    expect({ status: reply.status, body: reply.body }).toEqual({ status: 400, body: { error } });
    expect(await list()).toEqual([expect.objectContaining({ id, name: 'laptop', state: 'active' })]);
  });
});
