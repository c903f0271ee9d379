import { generateKey } from '../../src/access/api-key';
import { type Pepper, parsePeppers } from '../../src/access/peppers';
import { systemClock } from '../../src/lib/clock';
import { NO_SUBSCRIPTION } from '../support/api-errors';
import { bearer, EVALUATIONS_PATH, RUN_ENDPOINTS, sharedApp, startApp } from '../support/app';
import { until } from '../support/until';

const ENDPOINTS: readonly { method: string; path: string; body?: object }[] = [
  ...RUN_ENDPOINTS.map((endpoint) => ({ method: 'POST', ...endpoint })),
  { method: 'POST', path: EVALUATIONS_PATH, body: {} },
  { method: 'GET', path: '/v1/usage' },
  { method: 'GET', path: '/v1/models' },
];

/** The pepper of the service under test, and one it has never had. */
const [pepper, stranger] = parsePeppers('test-pepper,stranger') as [Pepper, Pepper];

/** The one 401: to the byte, so that nobody learns which cause it was. */
const BODY_401 = '{"error":{"message":"Unauthorized: Invalid API key","type":"invalid_request_error"}}';

const app = sharedApp();

async function call(headers: Record<string, string>, { method, path, body } = ENDPOINTS[0] as (typeof ENDPOINTS)[0]) {
  await app.clock.advance(60_000);
  return fetch(app.baseUrl + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}
const statusWith = async (key: string) => (await call(bearer(key))).status;

/** A key of alice that was good until something was done to it. */
async function endedKey(change: Parameters<typeof app.container.store.updateKey>[1]): Promise<string> {
  const key = await app.newKey('alice', 'ended');
  const [newest] = await app.container.store.listKeys('alice');
  if (!newest || !(await app.container.store.updateKey(newest, change))) throw new Error('no key was changed');
  return key;
}

async function expect401(response: Response): Promise<void> {
  expect([response.status, await response.text()]).toEqual([401, BODY_401]);
  expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="Ensemble API", error="invalid_/);
  // Its target is seen from the address that was asked (RFC 8288).
  const [, reference = '', relation] = /^<(.*)>; rel="(.*)"$/.exec(response.headers.get('link') ?? '') ?? [];
  expect([new URL(reference, response.url).href, relation]).toEqual([`${app.baseUrl}/docs`, 'help']);
  expect(app.models.calls).toEqual([]);
}

describe('a request without a good key', () => {
  type Headers = Record<string, string>;
  const causes: readonly (readonly [cause: string, headers: () => Headers | Promise<Headers>])[] = [
    ['no header', () => ({})],
    ['an empty header', () => ({ authorization: '' })],
    ['no key after Bearer', () => ({ authorization: 'Bearer ' })],
    ['another scheme', () => ({ authorization: `Basic ${app.key}` })],
    ['the key without a scheme', () => ({ authorization: app.key })],
    ['two keys', () => bearer(`${app.key} ${app.key}`)],
    ['the key in another header', () => ({ 'x-api-key': app.key })],
    ['a key that is no key', () => bearer('hello')],
    ['a key of another prefix', () => bearer(generateKey('other', systemClock, pepper))],
    ['a key that is too short', () => bearer(app.key.slice(0, -1))],
    ['a key that is too long', () => bearer(`${app.key}0`)],
    ['a key with a wrong tag', () => bearer(app.key.slice(0, -1) + (app.key.endsWith('a') ? 'b' : 'a'))],
    ['a key in other letters', () => bearer(app.key.toUpperCase())],
    ['a key that was issued and is not stored', () => bearer(generateKey('ens', systemClock, pepper))],
    ['a made-up key', () => bearer(generateKey('ens', systemClock, stranger))],
    ['a revoked key', async () => bearer(await endedKey({ status: 'revoked' }))],
    ['an inactive key', async () => bearer(await endedKey({ status: 'inactive' }))],
    ['an expired key', async () => bearer(await endedKey({ expiresAtMs: app.clock.nowMs() }))],
  ];
  it.each(causes)('is a 401 with the same body for every cause: %s', async (_, headers) => {
    await expect401(await call(await headers()));
  });

  it.each(ENDPOINTS)('is a 401 at $method $path', async (endpoint) => expect401(await call({}, endpoint)));
});

describe('a request without an active Pro subscription', () => {
  it.each(ENDPOINTS)('is a 403 at $method $path', async (endpoint) => {
    const response = await call(bearer(await app.user(`free at ${endpoint.path}`, 'free')), endpoint);
    expect([response.status, await response.json()]).toEqual([403, NO_SUBSCRIPTION]);
    expect(app.models.calls).toEqual([]);
  });

  it.each([
    [200, 'pro', 'active'],
    [200, 'pro', 'trialing'],
    [403, undefined, undefined],
    [403, 'free', 'trialing'],
    [403, 'byok', 'active'],
    [403, 'Pro', 'active'],
    [403, 'pro', 'canceled'],
    [403, 'pro', 'past_due'],
    [403, 'pro', 'unpaid'],
    [403, 'pro', 'incomplete'],
    [403, 'pro', 'incomplete_expired'],
    [403, 'pro', 'paused'],
    [403, 'pro', ''],
  ])('is a %i with tier %s, status %s', async (status, tier, state) => {
    expect(await statusWith(await app.user(`user of ${tier} ${state}`, tier, state))).toBe(status);
  });
});

describe('keys', () => {
  it.each(['Bearer', 'bearer', 'BEARER'])('may be sent behind %s', async (scheme) => {
    expect((await call({ authorization: `${scheme} ${app.key}` })).status).toBe(200);
  });

  it('follow a downgrade and an upgrade with the next request', async () => {
    const key = await app.user('carol', 'pro');
    const statuses = [await statusWith(key)];
    for (const [tier, status] of [
      ['free', 'active'],
      ['pro', 'past_due'],
      ['pro', 'active'],
    ] as const) {
      const sourceUpdatedAtMs = app.clock.nowMs();
      await app.container.store.putSubscription({ userId: 'carol', tier, status, sourceUpdatedAtMs });
      statuses.push(await statusWith(key));
    }
    expect(statuses).toEqual([200, 403, 403, 200]);
  });

  it('end with a revocation, each by itself, and at the moment they expire', async () => {
    const key = await app.newKey('alice', 'short-lived');
    expect(await statusWith(key)).toBe(200);
    const record = (await app.container.store.listKeys('alice')).find(({ name }) => name === 'short-lived');
    await app.container.store.updateKey({ userId: 'alice', keyId: record?.keyId ?? '' }, { status: 'revoked' });
    expect([await statusWith(key), await statusWith(app.key)]).toEqual([401, 200]);
    const expiring = await endedKey({ expiresAtMs: app.clock.nowMs() + 60_001 });
    expect([await statusWith(expiring), await statusWith(expiring)]).toEqual([200, 401]);
  });

  it('have the prefix of the deployment, and no other', async () => {
    await using acme = await startApp({ env: { API_KEY_PREFIX: 'acme' } });
    expect(acme.key).toMatch(/^sk-acme_[0-9A-Za-z]+$/);
    const foreign = await acme.read('/v1/models', generateKey('ens', systemClock, pepper));
    expect([(await acme.read('/v1/models')).status, foreign.status]).toEqual([200, 401]);
  });

  it('used under both peppers work after the old one is retired; unused ones do not', async () => {
    await using first = await startApp({ env: { KEY_PEPPER: 'one' } });
    const { store } = first.container;
    const deployed = (keyPepper: string) => startApp({ env: { KEY_PEPPER: keyPepper }, wrapStore: () => store });
    const unused = await first.newKey('alice', 'unused');
    const used = first.key;
    {
      await using both = await deployed('two,one');
      expect((await both.complete({}, used)).status).toBe(200);
      const [newest] = both.container.peppers;
      const versions = async () => (await store.listKeys('alice')).map(({ pepperVersion }) => pepperVersion);
      await until(async () => (await versions()).includes(newest?.version ?? ''));
    }
    await using retired = await deployed('two');
    expect((await retired.complete({}, used)).status).toBe(200);
    expect((await retired.get('/v1/models', bearer(unused))).status).toBe(401);
  });
});
