import { ModelFault } from '../../src/models/model-fault';
import { RATE_LIMITED } from '../support/api-errors';
import { type App, bearer, CHAT, CHAT_PATH, RESPONSE, RESPONSES_PATH, RUN_ENDPOINTS, startApp } from '../support/app';

const MAX = 30;

describe('the rate limit: 30 requests in any minute per user', () => {
  let app: App;
  beforeEach(async () => {
    app = await startApp();
  });
  afterEach(() => app.close());

  // Time stands still but where a test moves it: these requests are all of one moment.
  const chat = (key = app.key, fields: object = {}) => app.post(CHAT_PATH, { ...CHAT, ...fields }, bearer(key));
  const respond = (key = app.key, fields: object = {}) =>
    app.post(RESPONSES_PATH, { ...RESPONSE, ...fields }, bearer(key));
  const usage = (key = app.key, query = '') => app.get(`/v1/usage${query}`, bearer(key));

  /** Sends requests one after the other and returns their statuses. */
  const statuses = async (count: number, send: (index: number) => Promise<Response>): Promise<number[]> => {
    const list: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const response = await send(index);
      await response.arrayBuffer();
      list.push(response.status);
    }
    return list;
  };
  const times = (count: number, status: number): number[] => Array.from({ length: count }, () => status);

  it('admits 30 over two keys; the 31st is 429 with Retry-After, under either key and on every endpoint', async () => {
    const second = await app.newKey('alice', 'second');
    expect(await statuses(MAX, (index) => chat(index % 2 === 0 ? app.key : second))).toEqual(times(MAX, 200));
    const refusals = [chat(), chat(second), respond(), respond(second), usage(), usage(second)];
    for (const refused of await Promise.all(refusals)) {
      expect({ status: refused.status, body: await refused.json() }).toEqual({ status: 429, body: RATE_LIMITED });
      expect(refused.headers.get('retry-after')).toBe('60');
    }
  });

  it('a run at /v1/responses takes a slot like any other', async () => {
    expect(await statuses(MAX + 1, () => respond())).toEqual([...times(MAX, 200), 429]);
    expect((await chat()).status).toBe(429);
  });

  it('30 at once are admitted and the 31st is not', async () => {
    const replies = await Promise.all(Array.from({ length: MAX + 1 }, () => usage()));
    const list = replies.map(({ status }) => status).sort((a, b) => a - b);
    expect(list).toEqual([...times(MAX, 200), 429]);
  });

  it('calls no model for a refused request, and has no ledger for it', async () => {
    await statuses(MAX, () => usage());
    const refusals = [await chat(), await respond()];
    expect(refusals.map(({ status }) => status)).toEqual([429, 429]);
    expect(app.models.calls).toEqual([]);
    const { body } = await app.read('/v1/usage');
    expect(body).toEqual({ object: 'list', data: [], has_more: false });
  });

  it('a refused stream is JSON', async () => {
    await statuses(MAX, () => usage());
    for (const response of [await chat(app.key, { stream: true }), await respond(app.key, { stream: true })]) {
      expect(response.status).toBe(429);
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(await response.json()).toEqual(RATE_LIMITED);
    }
  });

  it.each([
    { rule: 'all of one moment', passedMs: 0, retryAfter: 60 },
    { rule: 'a fraction of a second is rounded up', passedMs: 12_345, retryAfter: 48 },
    { rule: 'whole seconds', passedMs: 20_000, retryAfter: 40 },
    { rule: 'the last millisecond is a second', passedMs: 59_999, retryAfter: 1 },
  ])('Retry-After is an integer and honest to the second: $rule', async ({ passedMs, retryAfter }) => {
    await statuses(MAX, () => usage());
    await app.clock.advance(passedMs);
    const refused = await usage();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe(String(retryAfter));
    await app.clock.advance((retryAfter - 1) * 1_000);
    expect((await usage()).status).toBe(429);
    await app.clock.advance(1_000);
    expect((await usage()).status).toBe(200);
  });

  it('every window counts, not only calendar minutes', async () => {
    await statuses(15, () => usage());
    await app.clock.advance(50_000);
    await statuses(15, () => usage());
    // 60 s after the first 15 these have left the window; the other 15 have not.
    await app.clock.advance(10_000);
    expect(await statuses(16, () => usage())).toEqual([...times(15, 200), 429]);
  });

  it('asking again while refused costs nothing: the wait does not grow', async () => {
    await statuses(MAX, () => usage());
    await statuses(20, () => usage());
    await app.clock.advance(60_000);
    expect((await usage()).status).toBe(200);
  });

  it.each([
    { rule: '400 of chat', send: () => chat(app.key, { temperature: 3 }), status: 400 },
    { rule: '400 of responses', send: () => respond(app.key, { input: [] }), status: 400 },
    { rule: '400 of malformed JSON', send: () => app.post(CHAT_PATH, '{'), status: 400 },
    { rule: '400 of usage', send: () => usage(app.key, '?start_date=never'), status: 400 },
    { rule: '401', send: () => chat(`${app.key}x`), status: 401 },
    { rule: '404', send: () => app.get('/v1/nothing'), status: 404 },
    { rule: '405', send: () => app.get(CHAT_PATH), status: 405 },
    { rule: 'GET /v1/models', send: () => app.get('/v1/models'), status: 200 },
  ])('costs no slot: $rule', async ({ send, status }) => {
    expect(await statuses(MAX + 1, send)).toEqual(times(MAX + 1, status));
    const next = await usage();
    expect(next.status).toBe(200);
    expect(next.headers.get('x-ratelimit-remaining-requests')).toBe('29');
  });

  it('a 403 costs no slot', async () => {
    const key = await app.user('bob', 'free');
    expect(await statuses(MAX + 1, () => usage(key))).toEqual(times(MAX + 1, 403));
    await app.container.store.putSubscription({
      userId: 'bob',
      tier: 'pro',
      status: 'active',
      sourceUpdatedAtMs: app.clock.nowMs() + 1,
    });
    expect((await usage(key)).headers.get('x-ratelimit-remaining-requests')).toBe('29');
  });

  it('GET /v1/models is served when the limit is exhausted', async () => {
    await statuses(MAX, () => usage());
    expect((await app.get('/v1/models')).status).toBe(200);
  });

  it('another user is not affected', async () => {
    const bob = await app.user('bob', 'pro');
    await statuses(MAX + 1, () => usage());
    const response = await usage(bob);
    expect(response.status).toBe(200);
    expect(response.headers.get('x-ratelimit-remaining-requests')).toBe('29');
  });

  it('a request that failed (500) has taken its slot', async () => {
    app.models.play(() => ({ text: '', fault: new ModelFault('unauthorized') }));
    expect((await chat()).status).toBe(500);
    expect((await usage()).headers.get('x-ratelimit-remaining-requests')).toBe('28');
  });
});

describe('a caller who is blocked', () => {
  it.each(RUN_ENDPOINTS)('is not looked up again: a flood of $path costs no reads', async ({ path, body }) => {
    let reads = 0;
    await using app = await startApp({
      wrapStore: (store) => ({
        ...store,
        readAccess: (hashes) => {
          reads += 1;
          return store.readAccess(hashes);
        },
      }),
    });
    const statuses: number[] = [];
    for (let count = 0; count < MAX + 5; count += 1) statuses.push((await app.post(path, body)).status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    // The 31st request was looked up too: it was what told the limiter.
    expect(reads).toBe(MAX + 1);
  });
});

describe('the x-ratelimit headers', () => {
  let app: App;
  beforeEach(async () => {
    app = await startApp();
  });
  afterEach(() => app.close());

  const limitsOf = ({ headers }: Response): (string | null)[] =>
    ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}-requests`));

  it('say the limit, what is left, and when the oldest slot frees', async () => {
    expect(limitsOf(await app.chat())).toEqual(['30', '29', '60s']);
    await app.clock.advance(12_345);
    expect(limitsOf(await app.get('/v1/usage'))).toEqual(['30', '28', '48s']);
    expect(limitsOf(await app.chat({ stream: true }))).toEqual(['30', '27', '48s']);
  });

  it('are on a 429 too', async () => {
    for (let count = 0; count < MAX; count += 1) await app.get('/v1/usage');
    await app.clock.advance(15_000);
    const refused = await app.chat();
    expect(refused.status).toBe(429);
    expect(limitsOf(refused)).toEqual(['30', '0', '45s']);
  });

  it('are on a 400 of a run that was admitted, which has taken its slot and no other', async () => {
    app.models.play(() => ({ text: '', finishReason: 'content_filter' }));
    for (let count = 1; count <= 30; count += 1) {
      const refused = await app.chat();
      expect([refused.status, ...limitsOf(refused)]).toEqual([400, '30', String(30 - count), '60s']);
    }
    await app.clock.advance(60_000);
  });

  it('are on a 500 of a run that was admitted', async () => {
    app.models.play(() => ({ text: '', fault: new ModelFault('unauthorized') }));
    const failed = await app.chat();
    expect(failed.status).toBe(500);
    expect(limitsOf(failed)).toEqual(['30', '29', '60s']);
  });

  it('are not on replies that took no slot', async () => {
    expect(limitsOf(await app.get('/v1/models'))).toEqual([null, null, null]);
    expect(limitsOf(await app.chat({ temperature: 3 }))).toEqual([null, null, null]);
  });
});
