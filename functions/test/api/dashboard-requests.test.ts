import { type App, startApp } from '../support/app';
import { ask, LOCAL_USER } from '../support/dashboard';
import { callRow, rateLimit, reservation, settlement } from '../support/store-records';

interface Page {
  readonly data: readonly { readonly id: string; readonly keyName: string; readonly [field: string]: unknown }[];
  readonly next?: string;
}

describe('the log of requests in the dashboard', () => {
  let app: App;
  let key: string;
  beforeEach(async () => {
    app = await startApp();
    key = await app.user(LOCAL_USER, 'pro');
  });
  afterEach(() => app.close());

  const read = async (query = '') => (await ask<Page>(app, { path: `usage/requests${query}` })).body;
  /** Requests that were made a second after another, the oldest first, each with the key of its place. */
  const book = async (keyNames: readonly string[]) => {
    for (const [index, keyName] of keyNames.entries()) {
      const startedAtMs = app.clock.nowMs() - 86_400_000 + index * 1_000;
      const id = String(index).padStart(32, '0');
      const named = { userId: LOCAL_USER, keyId: `key_${keyName}`, keyName, startedAtMs };
      const asked = reservation(id, { ...named, month: '2026-01', endpoint: 'chat.completions' });
      await app.container.store.admit(rateLimit(9_999), [asked], startedAtMs);
      const calls = [callRow('c', { modelName: `Model of ${keyName}` })];
      await app.container.store.settle(settlement(asked, calls, { settledAtMs: startedAtMs + 1_500 }));
    }
  };

  it('tells of a run as it is booked, and of nobody else’s', async () => {
    await app.user('mallory', 'pro');
    await app.complete({ ai_ensemble: { strategy: 'debate_tournament' } }, key);
    const startedAt = new Date(app.clock.nowMs()).toISOString();
    await app.complete({}, await app.newKey('mallory', 'hers'));
    const { data, ...rest } = await read();
    expect(rest).toEqual({});
    const [request] = data;
    const months = await ask<{ months: { costUsd: number; promptTokens: number }[] }>(app, { path: 'usage' });
    const { costUsd, promptTokens } = months.body.months.at(-1) ?? {};
    expect(data).toHaveLength(1);
    const told = { startedAt, costUsd, promptTokens, endpoint: 'chat.completions', outcome: 'complete' };
    expect(request).toMatchObject({ ...told, strategy: 'debate_tournament' });
    expect(request?.id).toMatch(/^[0-9a-f]{32}$/);
    expect(JSON.stringify(data)).not.toContain('hers');
  });

  it('is read in pages of 100, each request once', async () => {
    await book(Array.from({ length: 230 }, () => 'k'));
    const first = await read();
    const second = await read(`?before=${first.next}`);
    const third = await read(`?before=${second.next}`);
    expect([first, second, third].map(({ data }) => data.length)).toEqual([100, 100, 30]);
    expect(third).not.toHaveProperty('next');
    const ids = [first, second, third].flatMap(({ data }) => data.map(({ id }) => Number(id)));
    expect(ids).toEqual(Array.from({ length: 230 }, (_, index) => 229 - index));
  });

  it('finds those of one key, and those with some words, behind many others', async () => {
    await book(['rare', ...Array.from({ length: 250 }, () => 'usual'), 'Rare']);
    expect((await read('?key=key_rare')).data.map(({ keyName }) => keyName)).toEqual(['rare']);
    expect((await read('?q=model%20of%20RARE')).data.map(({ keyName }) => keyName)).toEqual(['Rare', 'rare']);
    expect(await read('?q=nothing')).toEqual({ data: [] });
    await app.complete({ ai_ensemble: { strategy: 'debate_tournament' } }, key);
    await app.complete({ model: 'gpt-4o-mini' }, key);
    for (const words of ['Debate tournament', 'debate_tournament', 'one model alone'])
      expect((await read(`?q=${encodeURIComponent(words)}`)).data).toHaveLength(1);
  });

  it('looks through 2,000 requests for one reply, and says where it stopped', async () => {
    await book(['rare', ...Array.from({ length: 2_000 }, () => 'usual')]);
    const first = await read('?q=rare');
    expect(first.data).toEqual([]);
    expect((await read(`?q=rare&before=${first.next}`)).data).toHaveLength(1);
  });

  it.each(['', '1', 'x-y', '1-abc', `${'9'.repeat(20)}-${'0'.repeat(32)}`])('refuses the place %j', async (before) => {
    const reply = await ask(app, { path: `usage/requests?before=${before}` });
    const message = 'Invalid before: must be the next of an earlier page';
    expect([reply.status, reply.body]).toEqual([400, { error: { message, type: 'invalid_request_error' } }]);
  });
});
