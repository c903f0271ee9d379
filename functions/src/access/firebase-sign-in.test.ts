import { type FakeUpstream, sendStatus, startFakeUpstream } from '../../test/support/fake-upstream';
import { unsignedToken } from '../../test/support/unsigned-token';
import { firebaseChecks, firebaseSignIn, type TokenChecks } from './firebase-sign-in';
import type { SignedIn, SignInAttempt } from './sign-in';

/*
 * Firebase's own SDK reads the tokens. Towards its emulator it takes unsigned ones, and holds them to everything else:
 * project, issuer, subject, times.
 */

const PROJECT = 'demo-sign-in';
const nowSeconds = Math.floor(Date.now() / 1000);

const tokenOf = (claims: object = {}): string =>
  unsignedToken(PROJECT, 'ann', { auth_time: nowSeconds - 120, ...claims });

const attempt = (authorization: string | undefined, more: Partial<SignInAttempt> = {}): SignInAttempt => ({
  ...{ method: 'GET', httpVersion: '1.1', remoteAddress: '203.0.113.9', recent: false },
  headers: { authorization },
  ...more,
});
const NOT_SIGNED_IN = expect.objectContaining({ code: 'not_signed_in' });
const ANN: SignedIn = { userId: 'ann', signedInAtMs: (nowSeconds - 120) * 1000 };

describe('signing in with Firebase', () => {
  let auth: FakeUpstream;
  /** Time at which the user's sessions were ended everywhere, Unix seconds. */
  let validSince = 0;
  let isDisabled = false;
  beforeAll(async () => {
    auth = await startFakeUpstream((exchange) =>
      sendStatus(200, {
        localId: 'ann',
        users: [{ localId: 'ann', validSince: String(validSince), disabled: isDisabled }],
      })(exchange),
    );
    process.env['FIREBASE_AUTH_EMULATOR_HOST'] = new URL(auth.url).host;
  });
  afterAll(async () => {
    delete process.env['FIREBASE_AUTH_EMULATOR_HOST'];
    await auth.close();
  });

  const checks = firebaseChecks(PROJECT);
  const signIn = firebaseSignIn({ checks, appCheck: false });

  it.each([
    ['an empty one', ''],
    ['another scheme', `Basic ${tokenOf()}`],
    ['no token', 'Bearer sk-ens_0000'],
    ['one that is far too long', `Bearer ${'x'.repeat(8_193)}`],
    ['two', `Bearer ${tokenOf()}, Bearer ${tokenOf()}`],
    ['one of another issuer', `Bearer ${tokenOf({ iss: 'https://securetoken.google.com/demo-other' })}`],
    ['one of nobody', `Bearer ${tokenOf({ sub: '' })}`],
    ['one of a subject that is no text', `Bearer ${tokenOf({ sub: 7 })}`],
  ])('refuses %s', async (_, authorization) => expect(await signIn(attempt(authorization))).toEqual(NOT_SIGNED_IN));

  it('refuses a session that was ended elsewhere, and a user who is disabled', async () => {
    const recent = () => signIn(attempt(`Bearer ${tokenOf()}`, { recent: true }));
    validSince = nowSeconds - 60;
    expect(await recent()).toEqual(NOT_SIGNED_IN);
    validSince = nowSeconds - 180;
    expect(await recent()).toEqual(ANN);
    isDisabled = true;
    expect(await recent()).toEqual(NOT_SIGNED_IN);
    isDisabled = false;
  });

  // The SDK asks its emulator each time, so this is seen at the port.
  it('asks Firebase about the session only where the sign-in must be recent', async () => {
    const asked: boolean[] = [];
    const watched = async (): Promise<TokenChecks> => ({
      ...(await checks()),
      verifyIdToken: async (_, checkRevoked) => {
        asked.push(checkRevoked);
        return { uid: 'ann', auth_time: nowSeconds };
      },
    });
    const watchedSignIn = firebaseSignIn({ checks: watched, appCheck: false });
    for (const recent of [false, true]) await watchedSignIn(attempt('Bearer x', { recent }));
    expect(asked).toEqual([false, true]);
  });

  it('takes a failure of Firebase for no refusal', async () => {
    const away = Object.assign(new Error('no network'), { code: 'auth/network-request-failed' });
    const failing = async () => ({ ...(await checks()), verifyIdToken: () => Promise.reject(away) });
    const signingIn = firebaseSignIn({ checks: failing, appCheck: false })(attempt(`Bearer ${tokenOf()}`));
    await expect(signingIn).rejects.toBe(away);
  });

  it('ends the sessions of a user with Firebase: what was signed in before counts no more', async () => {
    const before = auth.requests.length;
    await (await checks()).endSessions('ann');
    const { path, body } = auth.requests[before] ?? {};
    expect(path).toMatch(/accounts:update$/);
    expect(JSON.parse(body ?? '')).toEqual({ localId: 'ann', validSince: expect.any(Number) });
  });
});
