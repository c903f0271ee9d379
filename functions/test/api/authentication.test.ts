import { generateKey, isWellFormedKey, type Pepper, parsePeppers } from '../../src/access/api-key';
import { systemClock } from '../../src/lib/clock';
import { NO_SUBSCRIPTION } from '../support/api-errors';
import { type App, bearer, RUN_ENDPOINTS, startApp } from '../support/app';

const ENDPOINTS: readonly { method: string; path: string; body?: object }[] = [
  ...RUN_ENDPOINTS.map((endpoint) => ({ method: 'POST', ...endpoint })),
  { method: 'GET', path: '/v1/usage' },
  { method: 'GET', path: '/v1/models' },
];

/** The pepper of the service under test, and one it has never had. */
const [pepper, stranger] = parsePeppers('test-pepper,stranger') as [Pepper, Pepper];

/** The one 401: to the byte, so that nobody learns which cause it was. */
const BODY_401 = '{"error":{"message":"Unauthorized: Invalid API key","type":"invalid_request_error"}}';

describe.each(ENDPOINTS)('authentication of $method $path', ({ method, path, body }) => {
  let app: App;
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(() => app.models.reset());
  afterAll(() => app.close());

  const call = async (headers: Record<string, string>) => {
    await app.clock.advance(60_000);
    return fetch(app.baseUrl + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  };

  /** A key of alice that was good until something was done to it. */
  const endedKey = async (change: Parameters<typeof app.container.store.updateKey>[1]): Promise<string> => {
    const key = await app.newKey('alice', 'ended');
    const [newest] = await app.container.store.listKeys('alice');
    if (!newest || !(await app.container.store.updateKey(newest, change))) throw new Error('no key was changed');
    return key;
  };

  const causes: { cause: string; headers: () => Record<string, string> | Promise<Record<string, string>> }[] = [
    { cause: 'no header', headers: () => ({}) },
    { cause: 'an empty header', headers: () => ({ authorization: '' }) },
    { cause: 'no key after Bearer', headers: () => ({ authorization: 'Bearer ' }) },
    { cause: 'another scheme', headers: () => ({ authorization: `Basic ${app.key}` }) },
    { cause: 'the key without a scheme', headers: () => ({ authorization: app.key }) },
    { cause: 'two keys', headers: () => bearer(`${app.key} ${app.key}`) },
    { cause: 'the key in another header', headers: () => ({ 'x-api-key': app.key }) },
    { cause: 'a key that is no key', headers: () => bearer('hello') },
    { cause: 'a key of another prefix', headers: () => bearer(generateKey('other', systemClock, pepper)) },
    { cause: 'a key that is too short', headers: () => bearer(app.key.slice(0, -1)) },
    { cause: 'a key that is too long', headers: () => bearer(`${app.key}0`) },
    { cause: 'a key with a wrong tag', headers: () => bearer(withLastCharacterChanged(app.key)) },
    { cause: 'a key in other letters', headers: () => bearer(app.key.toUpperCase()) },
    {
      cause: 'a key that was issued and is not stored',
      headers: () => bearer(generateKey('ens', systemClock, pepper)),
    },
    { cause: 'a made-up key', headers: () => bearer(generateKey('ens', systemClock, stranger)) },
    { cause: 'a revoked key', headers: async () => bearer(await endedKey({ status: 'revoked' })) },
    { cause: 'an inactive key', headers: async () => bearer(await endedKey({ status: 'inactive' })) },
    { cause: 'an expired key', headers: async () => bearer(await endedKey({ expiresAtMs: app.clock.nowMs() })) },
  ];

  it.each(causes)('401, the same body for every cause: $cause', async ({ headers }) => {
    const response = await call(await headers());
    expect(response.status).toBe(401);
    expect(await response.text()).toBe(BODY_401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="Ensemble API", error="invalid_/);
    expect(linkOf(response)).toEqual({ target: `${app.baseUrl}/docs`, relation: 'help' });
    expect(app.models.calls).toEqual([]);
  });

  it.each(['Bearer', 'bearer', 'BEARER'])('the scheme may be written %s', async (scheme) => {
    const response = await call({ authorization: `${scheme} ${app.key}` });
    expect(response.status).toBe(200);
  });

  it.each([
    { rule: 'tier pro, status active', tier: 'pro', state: 'active' },
    { rule: 'tier pro, status trialing', tier: 'pro', state: 'trialing' },
  ])('200: $rule', async ({ tier, state }) => {
    const key = await app.user(`${tier}-${state}`, tier, state);
    expect((await call(bearer(key))).status).toBe(200);
  });

  it.each([
    { rule: 'no subscription', tier: undefined, state: undefined },
    { rule: 'tier free', tier: 'free', state: 'active' },
    { rule: 'tier free, trialing', tier: 'free', state: 'trialing' },
    { rule: 'the bring-your-own-key tier', tier: 'byok', state: 'active' },
    { rule: 'tier in other letters', tier: 'Pro', state: 'active' },
    { rule: 'status canceled', tier: 'pro', state: 'canceled' },
    { rule: 'status past_due', tier: 'pro', state: 'past_due' },
    { rule: 'status unpaid', tier: 'pro', state: 'unpaid' },
    { rule: 'status incomplete', tier: 'pro', state: 'incomplete' },
    { rule: 'status incomplete_expired', tier: 'pro', state: 'incomplete_expired' },
    { rule: 'status paused', tier: 'pro', state: 'paused' },
    { rule: 'no status', tier: 'pro', state: '' },
  ])('403: $rule', async ({ rule, tier, state }) => {
    const key = await app.user(`user of ${rule}`, tier, state);
    const response = await call(bearer(key));
    expect({ status: response.status, body: await response.json() }).toEqual({ status: 403, body: NO_SUBSCRIPTION });
    expect(app.models.calls).toEqual([]);
  });

  it('a downgrade acts on the next request, and so does the upgrade after it', async () => {
    const key = await app.user('carol', 'pro');
    const subscribe = (tier: string, status: string) =>
      app.container.store.putSubscription({ userId: 'carol', tier, status, sourceUpdatedAtMs: app.clock.nowMs() });
    const statuses: number[] = [(await call(bearer(key))).status];
    await subscribe('free', 'active');
    statuses.push((await call(bearer(key))).status);
    await subscribe('pro', 'past_due');
    statuses.push((await call(bearer(key))).status);
    await subscribe('pro', 'active');
    statuses.push((await call(bearer(key))).status);
    expect(statuses).toEqual([200, 403, 403, 200]);
  });

  it('a revocation acts on the next request and leaves the user’s other keys alone', async () => {
    const key = await app.newKey('alice', 'short-lived');
    const before = (await call(bearer(key))).status;
    const record = (await app.container.store.listKeys('alice')).find(({ name }) => name === 'short-lived');
    await app.container.store.updateKey({ userId: 'alice', keyId: record?.keyId ?? '' }, { status: 'revoked' });
    expect([before, (await call(bearer(key))).status, (await call(bearer(app.key))).status]).toEqual([200, 401, 200]);
  });

  it('a key works until the moment it expires and not after', async () => {
    const key = await endedKey({ expiresAtMs: app.clock.nowMs() + 60_001 });
    expect((await call(bearer(key))).status).toBe(200);
    expect((await call(bearer(key))).status).toBe(401);
  });
});

describe('API keys', () => {
  it('have the form sk-<prefix>_<base62> that clients can recognise', () => {
    const key = generateKey('ens', systemClock, pepper);
    expect(key).toMatch(/^sk-ens_[0-9A-Za-z]+$/);
    expect(isWellFormedKey(key, 'ens')).toBe(true);
  });

  it('are accepted under the prefix of the deployment only', async () => {
    await using app = await startApp({ env: { API_KEY_PREFIX: 'acme' } });
    const own = await app.read('/v1/models');
    const foreign = await app.read('/v1/models', generateKey('ens', systemClock, pepper));
    expect(app.key).toMatch(/^sk-acme_/);
    expect([own.status, foreign.status]).toEqual([200, 401]);
  });
});

/** The header `link`, its target seen from the address that was asked (RFC 8288). */
function linkOf({ headers, url }: Response): object {
  const [, reference = '', relation] = /^<(.*)>; rel="(.*)"$/.exec(headers.get('link') ?? '') ?? [];
  return { target: new URL(reference, url).href, relation };
}

function withLastCharacterChanged(key: string): string {
  return key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');
}
