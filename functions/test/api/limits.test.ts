import { ModelFault } from '../../src/models/model-fault';
import { RATE_LIMITED } from '../support/api-errors';
import {
  answer,
  bearer,
  CHAT,
  CHAT_PATH,
  EVALUATIONS_PATH,
  judges,
  QUESTION,
  RESPONSE,
  RESPONSES_PATH,
  startApp,
} from '../support/app';
import { during } from '../support/during';

const MAX = 30;
const BUCKET = 120;

const app = during('each', startApp);

// Time stands still but where a test moves it: these requests are all of one moment.
const chat = (key = app.key, fields: object = {}) => app.post(CHAT_PATH, { ...CHAT, ...fields }, bearer(key));
const respond = (key = app.key, fields: object = {}) =>
  app.post(RESPONSES_PATH, { ...RESPONSE, ...fields }, bearer(key));
const usage = (key = app.key, query = '') => app.get(`/v1/usage${query}`, bearer(key));
const models = (key = app.key) => app.get('/v1/models', bearer(key));
const failing = () => app.models.play(() => ({ text: '', fault: new ModelFault('unauthorized') }));

/** Sends requests one after the other and returns their statuses. */
async function statuses(count: number, send: (index: number) => Promise<Response>): Promise<number[]> {
  const list: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const response = await send(index);
    await response.arrayBuffer();
    list.push(response.status);
  }
  return list;
}
const times = (count: number, status: number): number[] => Array.from({ length: count }, () => status);

/** Status, the three headers of the limit, and the wait. */
function limitsOf({ status, headers }: Response): string {
  const said = ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}-requests`) ?? '-');
  return [status, ...said, headers.get('retry-after') ?? '-'].join(' ');
}

describe('the rate limit: 30 requests in any minute per user', () => {
  it('admits 30 over keys and endpoints; the 31st is 429 in JSON at each, and calls no model', async () => {
    const second = await app.newKey('alice', 'second');
    const bob = await app.user('bob', 'pro');
    const admitted = [chat, respond, usage];
    const good = (index: number) => admitted[index % 3]?.(index % 2 === 0 ? app.key : second) ?? usage();
    expect(await statuses(MAX, good)).toEqual(times(MAX, 200));
    const { length } = app.models.calls;
    const stream = { stream: true };
    const refusals = [chat(), chat(second, stream), respond(app.key, stream), respond(second), usage(), usage(second)];
    for (const refused of await Promise.all(refusals)) {
      expect(limitsOf(refused)).toBe('429 30 0 60s 60');
      expect(refused.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(await refused.json()).toEqual(RATE_LIMITED);
    }
    expect(app.models.calls).toHaveLength(length);
    expect(limitsOf(await usage(bob))).toBe('200 30 29 60s -');
    expect((await models()).status).toBe(200);
    // Refusals are in no ledger, and do not make the wait longer.
    await app.clock.advance(60_000);
    const { body } = await app.read<{ data: { n_requests: number }[] }>('/v1/usage');
    expect(body.data.map(({ n_requests }) => n_requests)).toEqual([20]);
  });

  it('counts evaluations, too: the 31st is 429', async () => {
    const asked = { prompt: QUESTION, responses: [answer('a', 'Yes.')], judge_models: judges('x') };
    expect(await statuses(MAX + 1, () => app.post(EVALUATIONS_PATH, asked))).toEqual([...times(MAX, 200), 429]);
  });

  it('admits 30 at once and not the 31st', async () => {
    const replies = await Promise.all(Array.from({ length: MAX + 1 }, () => usage()));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([...times(MAX, 200), 429]);
  });

  it.each([
    { rule: 'a fraction of a second is rounded up', passedMs: 12_345, retryAfter: 48 },
    { rule: 'the last millisecond is a second', passedMs: 59_999, retryAfter: 1 },
  ])('Retry-After is honest to the second: $rule', async ({ passedMs, retryAfter }) => {
    await statuses(MAX, () => usage());
    await app.clock.advance(passedMs);
    expect(limitsOf(await usage())).toBe(`429 30 0 ${retryAfter}s ${retryAfter}`);
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

  it.each<[status: number, rule: string, send: () => Promise<Response>]>([
    [400, 'chat', () => chat(app.key, { temperature: 3 })],
    [400, 'responses', () => respond(app.key, { input: [] })],
    [400, 'malformed JSON', () => app.post(CHAT_PATH, '{')],
    [400, 'usage', () => usage(app.key, '?start_date=never')],
    [401, 'a wrong key', () => chat(`${app.key}x`)],
    [404, 'a wrong path', () => app.get('/v1/nothing')],
    [405, 'a wrong method', () => app.get(CHAT_PATH)],
    [200, 'GET /v1/models', () => models()],
  ])('costs no slot, and says nothing of the limit: %i of %s', async (status, _, send) => {
    expect(limitsOf(await send())).toBe(`${status} - - - -`);
    await statuses(MAX, send);
    expect(limitsOf(await usage())).toBe('200 30 29 60s -');
  });

  it('a 403 costs no slot', async () => {
    const key = await app.user('bob', 'free');
    expect(await statuses(MAX + 1, () => usage(key))).toEqual(times(MAX + 1, 403));
    const pro = { userId: 'bob', tier: 'pro', status: 'active', sourceUpdatedAtMs: app.clock.nowMs() + 1 };
    await app.container.store.putSubscription(pro);
    expect(limitsOf(await usage(key))).toBe('200 30 29 60s -');
  });

  it('its headers are on every reply that took a slot: one piece, a stream, a 400 and a 500 of the models', async () => {
    expect(limitsOf(await chat())).toBe('200 30 29 60s -');
    await app.clock.advance(12_345);
    expect(limitsOf(await chat(app.key, { stream: true }))).toBe('200 30 28 48s -');
    failing();
    expect(limitsOf(await chat())).toBe('500 30 27 48s -');
    app.models.play(() => ({ text: '', finishReason: 'content_filter' }));
    expect(limitsOf(await chat())).toBe('400 30 26 48s -');
  });
});

describe('other limits', () => {
  it('of a key lower that of its user, and its headers say so', async () => {
    const key = await app.newKey('alice', 'slow', { requestsPerMinute: 2 });
    expect(limitsOf(await chat(key))).toBe('200 2 1 60s -');
    await app.clock.advance(20_000);
    expect(limitsOf(await chat(key))).toBe('200 2 0 40s -');
    expect(limitsOf(await chat(key))).toBe('429 2 0 40s 40');
    expect(limitsOf(await chat())).toBe('200 30 27 40s -');
    await app.clock.advance(40_000);
    expect((await chat(key)).status).toBe(200);
  });

  it('by RATE_LIMIT_RPM: that many in any minute; a key with more is not raised by it', async () => {
    await using set = await startApp({ env: { RATE_LIMIT_RPM: '2' } });
    const fast = await set.newKey('alice', 'fast', { requestsPerMinute: 20 });
    const ask = async () => limitsOf(await set.get('/v1/usage', bearer(fast)));
    expect([await ask(), await ask(), await ask()]).toEqual(['200 2 1 60s -', '200 2 0 60s -', '429 2 0 60s 60']);
    await using more = await startApp({ env: { RATE_LIMIT_RPM: '50' } });
    const replies = await Promise.all(Array.from({ length: 60 }, () => more.get('/v1/usage')));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(50);
  });
});

describe('requests that take no rate slot: 120 a minute and user in a process', () => {
  it.each([
    { what: 'bad fields', send: () => chat(app.key, { temperature: 3 }), status: 400 },
    { what: 'malformed JSON', send: () => app.post(CHAT_PATH, '{'), status: 400 },
    { what: 'a compressed body', send: () => app.post(CHAT_PATH, '{}', { 'content-encoding': 'gzip' }), status: 415 },
    { what: 'a plan', send: () => chat(app.key, { ai_ensemble: { dryRun: true } }), status: 200 },
    { what: 'a bad date', send: () => usage(app.key, '?start_date=never'), status: 400 },
    { what: 'the list of models', send: () => models(), status: 200 },
  ])('$what: the 121st at one moment is 429, told to wait a second', async ({ send, status }) => {
    // A bad date is a GET and a 400: it costs one, not two.
    expect(await statuses(BUCKET, send)).toEqual(times(BUCKET, status));
    const refused = await send();
    expect([refused.status, await refused.json()]).toEqual([429, RATE_LIMITED]);
    expect(refused.headers.get('retry-after')).toBe('1');
    await app.clock.advance(1_000);
    // Two a second come back.
    expect(await statuses(3, send)).toEqual([status, status, 429]);
  });

  it('is not touched by good requests, 429 and 401, nor by other users', async () => {
    const bob = await app.user('bob', 'pro');
    expect(await statuses(MAX + 10, () => chat())).toEqual([...times(MAX, 200), ...times(10, 429)]);
    await statuses(BUCKET, () => chat(`${app.key}x`));
    expect(await statuses(BUCKET + 1, () => models())).toEqual([...times(BUCKET, 200), 429]);
    expect((await models(bob)).status).toBe(200);
    // Once it is empty, good requests wait as well.
    await app.clock.advance(59_000);
    expect((await models()).status).toBe(200);
  });
});
