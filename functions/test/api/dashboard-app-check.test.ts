import { generateKeyPairSync, sign } from 'node:crypto';
import { request } from 'node:http';
import https from 'node:https';
import { firebaseChecks, firebaseSignIn } from '../../src/access/firebase-sign-in';
import { type App, startApp } from '../support/app';
import { ask, pageRequests } from '../support/dashboard';
import { type FakeUpstream, sendStatus, startFakeUpstream } from '../support/fake-upstream';
import { unsignedToken } from '../support/unsigned-token';

/*
 * Every route of the dashboard × every token of App Check that is none, read by Firebase's own SDK with keys that a
 * server of the test gives out in the place of Google's.
 */

const PROJECT = 'demo-app-check';
const nowSeconds = Math.floor(Date.now() / 1000);
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function appTokenOf(claims: object = {}, key = privateKey): string {
  const body = {
    ...{ iss: 'https://firebaseappcheck.googleapis.com/1', aud: [`projects/${PROJECT}`], sub: 'app' },
    ...{ iat: nowSeconds - 60, exp: nowSeconds + 3_000 },
    ...claims,
  };
  const signed = `${part({ alg: 'RS256', typ: 'JWT', kid: 'one' })}.${part(body)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}

function idTokenOf(claims: object = {}): string {
  return `Bearer ${unsignedToken(PROJECT, 'ann', claims)}`;
}

const BAD_TOKENS: readonly (readonly [kind: string, headers: Readonly<Record<string, string>>])[] = [
  ['none', {}],
  ['an empty one', { 'x-firebase-appcheck': '' }],
  ['a malformed one', { 'x-firebase-appcheck': 'no token' }],
  ['an expired one', { 'x-firebase-appcheck': appTokenOf({ exp: nowSeconds - 10 }) }],
  ['one of another project', { 'x-firebase-appcheck': appTokenOf({ aud: ['projects/demo-other'] }) }],
  ['one of another issuer', { 'x-firebase-appcheck': appTokenOf({ iss: 'https://example.com/' }) }],
  ['one that is forged', { 'x-firebase-appcheck': appTokenOf({}, stranger) }],
];

describe('a request to the dashboard where App Check is on', () => {
  let google: FakeUpstream;
  let app: App;
  beforeAll(async () => {
    const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }];
    const users = [{ localId: 'ann', validSince: '0', disabled: false }];
    google = await startFakeUpstream(sendStatus(200, { keys, users }));
    const { host, port } = new URL(google.url);
    process.env['FIREBASE_AUTH_EMULATOR_HOST'] = host;
    const local = ((options: { path: string }, respond: () => void) =>
      request({ host: '127.0.0.1', port, path: options.path }, respond)) as typeof https.request;
    jest.spyOn(https, 'request').mockImplementation(local);
    const signIn = firebaseSignIn({ checks: firebaseChecks(PROJECT), appCheck: true });
    app = await startApp({ sessions: { signIn, endSessions: async () => {} } });
    await app.user('ann', 'pro');
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    delete process.env['FIREBASE_AUTH_EMULATOR_HOST'];
    await app.close();
    await google.close();
  });

  const planWith = (headers: Readonly<Record<string, string>>) => ask(app, { path: 'plan', headers });

  it('is answered with a good token', async () => {
    const headers = { authorization: idTokenOf(), 'x-firebase-appcheck': appTokenOf() };
    expect((await planWith(headers)).status).toBe(200);
  });

  it.each(BAD_TOKENS)('opens no route with a bad token: %s', async (_, appHeaders) => {
    const keys = await app.container.store.listKeys('ann');
    for (const one of pageRequests(app, 'id')) {
      const { status, text } = await ask(app, { ...one, headers: { authorization: idTokenOf(), ...appHeaders } });
      expect({ one, status, error: JSON.parse(text).error }).toEqual({
        ...{ one, status: 403 },
        error: { type: 'app_check_required', message: expect.stringContaining('the sign-in stands') },
      });
    }
    expect(await app.container.store.listKeys('ann')).toEqual(keys);
  });

  it('tells an ended sign-in from an unknown app', async () => {
    const authorization = idTokenOf({ exp: nowSeconds - 10 });
    expect((await planWith({ authorization, 'x-firebase-appcheck': appTokenOf() })).status).toBe(401);
  });
});
