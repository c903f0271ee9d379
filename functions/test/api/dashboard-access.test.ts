import type { SignedIn, SignIn } from '../../src/access/sign-in';
import { refuse } from '../../src/errors';
import { bearer, DASHBOARD_SECRET, startApp } from '../support/app';
import { ask, cookieOf, LOCAL_USER, pageRequests } from '../support/dashboard';
import { during } from '../support/during';
import { fakeClock } from '../support/fake-clock';
import { sendRaw } from '../support/raw-http';

const MINUTE_MS = 60_000;
/** More than any table of routes here needs in a minute. */
const CALM_MS = 10 * MINUTE_MS;
/** Takes whoever asks for one user. */
const anybody: SignIn = async () => ({ userId: 'ann', signedInAtMs: 0 });

describe('the dashboard of a machine of one’s own', () => {
  const app = during('all', startApp);
  beforeAll(async () => {
    await app.user(LOCAL_USER, 'pro');
  });
  beforeEach(() => app.clock.advance(CALM_MS));

  const everything = async () => [
    await app.container.store.listKeys(LOCAL_USER),
    await app.container.store.listActs({ sinceMs: 0, max: 100 }),
    await app.container.store.findRouterKey(LOCAL_USER),
    await app.container.store.listRouterModels(LOCAL_USER),
  ];

  it.each([
    ['a foreign host', { host: 'evil.example' }],
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a proxy', { 'x-forwarded-for': '203.0.113.9' }],
  ])('refuses every request from %s, and changes nothing', async (_, headers) => {
    const before = await everything();
    const requests = pageRequests(app);
    expect(requests.length).toBeGreaterThanOrEqual(15);
    for (const request of requests) {
      const { status, body, text } = await ask(app, { ...request, headers });
      expect({ request, status }).toEqual({ request, status: 403 });
      expect(body).toEqual({ error: { message: expect.any(String), type: 'permission_error' } });
      expect(text).not.toContain(LOCAL_USER);
    }
    expect(await everything()).toEqual(before);
  });

  it.each([
    ['another account of the machine', ''],
    ['a browser that has opened the link of an earlier start', DASHBOARD_SECRET.replace('a', 'b')],
  ])('asks %s for the secret with every request, and changes nothing', async (_, value) => {
    const before = await everything();
    // As nginx passes it on, with nothing but `proxy_pass` and `proxy_http_version 1.1`.
    const headers = { cookie: `${cookieOf(app).name}=${value}`, connection: 'close' };
    for (const request of pageRequests(app)) {
      const { status, body, text } = await ask(app, { ...request, headers });
      expect({ request, status }).toEqual({ request, status: 401 });
      expect(body).toEqual({
        error: { message: expect.stringContaining('the link that npm start printed'), type: 'invalid_request_error' },
      });
      expect(text).not.toContain(LOCAL_USER);
    }
    expect(await everything()).toEqual(before);
  });

  it('refuses every write without its header', async () => {
    const before = await everything();
    for (const request of pageRequests(app).filter(({ method }) => method !== 'GET')) {
      const { status } = await ask(app, { ...request, headers: { 'x-dashboard': '' } });
      expect({ request, status }).toEqual({ request, status: 403 });
    }
    expect(await everything()).toEqual(before);
  });

  it.each([
    '/x/../dashboard/plan',
    '/./dashboard/plan',
    '/%2e/dashboard/plan',
    '/v1/..\\dashboard/plan',
    'http://127.0.0.1/dashboard/plan',
  ])('gives no other origin leave at %j, whatever way a path leads there', async (path) => {
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await sendRaw(app.baseUrl, { method, path, headers: { origin: 'https://chat.example' } });
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it('streams to the pages of a named origin, which may read the id of the run, and come back to it', async () => {
    const APP = 'https://app.example';
    await using named = await startApp({ env: { DASHBOARD_ORIGINS: APP }, sessions: { signIn: anybody } });
    await named.user('ann', 'pro');
    const body = { model: 'demo-ada', messages: [{ role: 'user', content: 'Is a tomato a fruit?' }] };
    const headers = { origin: APP, authorization: 'Bearer token' };
    const begun = await ask<object[]>(named, { method: 'POST', path: 'runs', body, headers });
    const readable = begun.headers['access-control-expose-headers'];
    expect(begun.headers).toMatchObject({ 'access-control-allow-origin': APP, vary: 'origin' });
    expect([begun.status, readable?.includes('x-request-id'), begun.body[0]]).toMatchObject([
      200,
      true,
      { type: 'run' },
    ]);
    const path = `runs/${begun.headers['x-request-id']}/events`;
    const rest = await ask(named, { path, headers: { ...headers, 'last-event-id': '0' } });
    expect([rest.headers['access-control-allow-origin'], rest.body]).toEqual([APP, begun.body.slice(1)]);
    const refused = await ask(named, { method: 'POST', path: 'runs', body: {}, headers });
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([400, APP]);
    const foreign = await ask(named, { path, headers: { ...headers, origin: 'https://evil.example' } });
    expect(foreign.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('takes no API key for a sign-in, and opens no endpoint of the API', async () => {
    const key = await app.newKey(LOCAL_USER, 'laptop');
    const { status } = await ask(app, { path: 'keys', headers: { host: 'evil.example', ...bearer(key) } });
    expect(status).toBe(403);
    const api = await fetch(`${app.baseUrl}/v1/models`, { headers: { 'x-dashboard': '1' } });
    expect(api.status).toBe(401);
  });

  it('answers 120 requests a minute, and two more a second', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 121; n += 1) statuses.push((await ask(app, { path: 'plan' })).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(120);
    const { status, headers } = await ask(app, { path: 'plan' });
    expect({ status, wait: headers['retry-after'] }).toEqual({ status: 429, wait: '1' });
    await app.clock.advance(1_000);
    expect((await ask(app, { path: 'plan' })).status).toBe(200);
    // Another log than that of the user's keys.
    expect((await app.complete({}, await app.newKey(LOCAL_USER, 'other'))).status).toBe(200);
  });
});

describe('what the page must know before anybody has signed in', () => {
  it('is told to anybody, and kept by nobody', async () => {
    await using app = await startApp();
    const { status, body, headers } = await ask(app, { path: 'config.json', headers: { 'x-dashboard': '' } });
    expect({ status, body, cache: headers['cache-control'] }).toEqual({
      status: 200,
      body: { mode: 'embedded' },
      cache: 'no-store',
    });
  });
});

describe('a link to a run', () => {
  it('asks nobody who they are, and leads nobody who has guessed it anywhere', async () => {
    await using app = await startApp();
    const replies = await Promise.all(
      [{}, { cookie: '' }, { 'x-dashboard': '' }, { 'sec-fetch-site': 'cross-site' }].map(async (headers) => {
        const { status, body } = await ask(app, { path: 'shared/guessed', headers });
        return { status, body };
      }),
    );
    const unknown = {
      status: 404,
      body: {
        error: {
          message: 'No run is shared by this link: it may have been ended',
          type: 'invalid_request_error',
        },
      },
    };
    expect(replies).toEqual(replies.map(() => unknown));
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect((await ask(app, { method, path: 'shared/guessed' })).status).toBe(405);
  });
});

describe('a dashboard that is off', () => {
  it.each([
    { DASHBOARD: 'off' },
    { HOST: '0.0.0.0' },
    { DASHBOARD_SECRET: '' },
    { DASHBOARD_SECRET: '', DASHBOARD: 'on' },
  ])('has no routes: %j', async (env) => {
    await using app = await startApp({ env });
    expect(pageRequests(app)).toEqual([]);
    expect((await ask(app, { path: 'keys' })).status).toBe(404);
    expect((await ask(app, { path: 'config.json' })).status).toBe(404);
    const { status, text } = await ask(app, { path: 'shared/guessed' });
    expect([status, text]).toEqual([404, expect.not.stringContaining('link')]);
  });

  it('does not start open to others', async () => {
    await expect(startApp({ env: { DASHBOARD: 'on', HOST: '0.0.0.0' } })).rejects.toThrow(/DASHBOARD=on.*0\.0\.0\.0/);
  });
});

describe('users who sign in', () => {
  const clock = fakeClock();
  /** A token names its user and the age of the sign-in in minutes. */
  const signIn: SignIn = async ({ headers }) => {
    const [, userId, minutes] = /^Bearer token-(\w+)-(\d+)$/.exec(headers['authorization']?.toString() ?? '') ?? [];
    if (userId === undefined) return refuse('not_signed_in');
    return { userId, signedInAtMs: clock.nowMs() - Number(minutes) * MINUTE_MS } satisfies SignedIn;
  };
  const by = (userId: string, minutes = 0) => ({ authorization: `Bearer token-${userId}-${minutes}` });
  /** Users whose sessions were ended. */
  const ended: string[] = [];
  const endSessions = async (userId: string) => void ended.push(userId);
  const app = during('all', () => startApp({ clock, sessions: { signIn, endSessions } }));
  beforeAll(async () => {
    await app.user('ann', 'pro');
    await app.user('bob', 'pro');
  });
  beforeEach(() => clock.advance(CALM_MS));

  it('repeat a sign-in older than five minutes for what makes or changes keys, and for nothing else', async () => {
    const needRecent = [
      'POST keys',
      'PATCH keys/key_none',
      'POST keys/key_none/rotate',
      'PUT router-key',
      'DELETE router-key',
    ];
    const refused: string[] = [];
    for (const request of pageRequests(app)) {
      const { status, body } = await ask(app, { ...request, headers: by('ann', 6) });
      if (status !== 403) continue;
      expect(body).toEqual({ error: { message: expect.any(String), type: 'recent_login_required' } });
      refused.push(`${request.method} ${request.path}`);
    }
    expect(refused.sort()).toEqual(needRecent.sort());
    const { status } = await ask(app, { method: 'POST', path: 'keys', body: { name: 'x' }, headers: by('ann', 5) });
    expect(status).toBe(200);
  });

  it('end their own sessions and nobody else’s, and see that they did', async () => {
    const before = ended.length;
    const path = 'sign-out-everywhere';
    const { status, body } = await ask(app, { method: 'POST', path, body: { userId: 'bob' }, headers: by('ann', 50) });
    const endedAt = new Date(clock.nowMs()).toISOString();
    expect({ status, body }).toEqual({ status: 200, body: { endedAt } });
    expect(ended.slice(before)).toEqual(['ann']);
    const { body: audit } = await ask<{ acts: object[] }>(app, { path: 'audit', headers: by('ann') });
    expect(audit.acts[0]).toMatchObject({ what: 'sessions.end', by: 'user', at: endedAt, network: '127.0.0.0/24' });
  });
});
