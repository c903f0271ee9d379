import { firebaseChecks, firebaseSignIn } from '../../src/access/firebase-sign-in';
import { addRouterModels, saveRouterKey } from '../../src/byok/router';
import type { KeptRun } from '../../src/runs/run-store';
import { type App, startApp } from '../support/app';
import { ask, pageRequests } from '../support/dashboard';
import { type FakeUpstream, sendStatus, startFakeUpstream } from '../support/fake-upstream';
import { ROUTER_LIST } from '../support/playground';
import { keptMax } from '../support/store-records';
import { unsignedToken } from '../support/unsigned-token';

/*
 * Every route of the dashboard × every token that is none of its user's, read by Firebase's own SDK. Towards its emulator
 * it takes unsigned tokens, and holds them to everything else.
 */

const PROJECT = 'demo-tokens';
const nowSeconds = Math.floor(Date.now() / 1000);

function tokenOf(userId: string, claims: object = {}): string {
  return `Bearer ${unsignedToken(PROJECT, userId, claims)}`;
}

const BAD_TOKENS: readonly (readonly [kind: string, authorization: string])[] = [
  ['none', ''],
  ['an expired one', tokenOf('ann', { exp: nowSeconds - 10 })],
  ['one of another project', tokenOf('ann', { aud: 'demo-other', iss: 'https://securetoken.google.com/demo-other' })],
  ['one that is forged', 'Bearer eyJhbGciOiJub25lIn0.e30.'],
];

/** Statuses that a stranger with a token of their own gets with Ann's ids; a new route needs a row. */
const OF_STRANGERS: Readonly<Record<string, number>> = {
  'GET keys': 200,
  'POST keys': 400,
  'PATCH keys/{id}': 404,
  'DELETE keys/{id}': 404,
  'POST keys/{id}/rotate': 404,
  'GET plan': 200,
  'GET usage': 200,
  'GET usage/requests': 200,
  'GET presets': 200,
  'PUT presets': 400,
  'DELETE presets/{id}': 200,
  'GET router-key': 200,
  'PUT router-key': 400,
  'DELETE router-key': 404,
  'GET router-models': 200,
  'POST router-models': 400,
  'DELETE router-models/{id}': 404,
  'GET router-catalog': 200,
  'GET models': 200,
  'GET audit': 200,
  'POST runs': 400,
  'POST runs/plan': 400,
  'POST evaluations': 400,
  'GET study': 200,
  'GET runs': 200,
  'DELETE runs': 200,
  'GET runs/{id}': 404,
  'DELETE runs/{id}': 404,
  'GET runs/{id}/events': 404,
  'GET runs/{id}/evaluations': 404,
  'POST runs/{id}/stop': 404,
  'GET runs/{id}/thread': 404,
  'PUT runs/{id}/rating': 404,
  'PUT runs/{id}/share': 404,
  'DELETE runs/{id}/share': 404,
  'POST sign-out-everywhere': 200,
};

const MODEL = 'owl/eagle-1';
const PRESET = 'of-ann-alone';

/** A kept run of Ann's. */
const RUN: KeptRun = {
  ...{ userId: 'ann', runId: 'a'.repeat(32), startedAtMs: Date.now(), endpoint: 'playground', prompt: 'of-ann-alone' },
  ...{ strategy: 'debate_tournament', rounds: 1, models: ['x'], state: 'complete', eventCount: 0 },
  ...{ promptTokens: 0, completionTokens: 0, costNanoUsd: 0, calls: 0, durationMs: 0 },
  ...{ leaseUntilMs: 0, expiresAtMs: Date.now() + 1e9, stopRequested: false, evaluationCount: 0 },
};

describe('a token of somebody else', () => {
  let auth: FakeUpstream;
  let router: FakeUpstream;
  let app: App;
  /** Ids of Ann's things, by the beginning of the paths that name them. */
  let ids: Readonly<Record<string, string>>;
  const ended: string[] = [];
  beforeAll(async () => {
    const user = (localId: string) => ({ localId, validSince: '0', disabled: false });
    auth = await startFakeUpstream(async (exchange) => {
      const { body } = exchange.request;
      await sendStatus(200, { users: [user(body.includes('mallory') ? 'mallory' : 'ann')] })(exchange);
    });
    router = await startFakeUpstream(sendStatus(200, ROUTER_LIST));
    process.env['FIREBASE_AUTH_EMULATOR_HOST'] = new URL(auth.url).host;
    const signIn = firebaseSignIn({ checks: firebaseChecks(PROJECT), appCheck: false });
    const endSessions = async (userId: string) => void ended.push(userId);
    app = await startApp({ env: { ROUTER_BASE_URL: router.url }, sessions: { signIn, endSessions } });
    await app.user('ann', 'pro');
    const { store, account } = app.container;
    await saveRouterKey(account, { userId: 'ann', key: 'sk-or-v1-the-key-of-ann-0001' });
    await addRouterModels(account, { userId: 'ann', slugs: [MODEL] });
    await store.createRun(RUN, new Uint8Array([1]), keptMax());
    await store.changePresets('ann', () => [{ name: PRESET, setUp: {} }]);
    const key = (await store.listKeys('ann'))[0]?.keyId ?? '';
    ids = { keys: key, 'router-models': MODEL, runs: RUN.runId, presets: PRESET };
  });
  afterAll(async () => {
    delete process.env['FIREBASE_AUTH_EMULATOR_HOST'];
    await app.close();
    await Promise.all([auth.close(), router.close()]);
  });

  const ofAnn = async () => [
    await app.container.store.listKeys('ann'),
    await app.container.store.listActs({ userId: 'ann', sinceMs: 0, max: 99 }),
    await app.container.store.findRouterKey('ann'),
    await app.container.store.listRouterModels('ann'),
    await app.container.store.listRuns('ann', { max: 9 }),
    await app.container.store.listPresets('ann'),
  ];

  /** All routes, each with the id of something of Ann's where it takes one. */
  const requests = () =>
    pageRequests(app, '{id}').map((request) => {
      const { method, path } = request;
      const id = ids[path.split('/')[0] ?? ''] ?? '';
      return { ...request, route: `${method} ${path}`, path: path.replace('{id}', id) };
    });

  it('finds something of hers wherever it looks', async () => {
    const [keys, acts, routerKey, ...lists] = await ofAnn();
    expect([keys, acts, ...lists].map((list) => Array.isArray(list) && list.length > 0)).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(routerKey).toBeDefined();
  });

  it('is a row of the table for every route', () => {
    const routes = pageRequests(app, '{id}').map(({ method, path }) => `${method} ${path}`);
    expect(routes.sort()).toEqual(Object.keys(OF_STRANGERS).sort());
  });

  it.each(BAD_TOKENS)('opens no route: %s', async (_, authorization) => {
    const before = await ofAnn();
    for (const request of requests()) {
      const { status, text, headers } = await ask(app, { ...request, headers: { authorization } });
      expect({ request, status }).toEqual({ request, status: 401 });
      expect(headers['www-authenticate']).toBe('Bearer realm="Ensemble API dashboard"');
      expect(text).not.toMatch(/ann|demo-/);
    }
    expect(await ofAnn()).toEqual(before);
    expect(ended).toEqual([]);
  });

  it('shows nothing of another user, and changes nothing', async () => {
    const before = await ofAnn();
    for (const [route, expected] of Object.entries(OF_STRANGERS)) {
      const request = requests().find((one) => one.route === route);
      const headers = { authorization: tokenOf('mallory') };
      const body = route.endsWith('/rotate') ? { overlap: '0' } : request?.body;
      const { status, text } = await ask(app, { path: 'none', ...request, body, headers });
      expect({ route, status }).toEqual({ route, status: expected });
      expect({ route, text }).not.toMatchObject({ text: expect.stringMatching(/\bann\b|ann-key|of-ann-alone/) });
    }
    expect(await ofAnn()).toEqual(before);
    expect(ended).toEqual(['mallory']);
  });
});
