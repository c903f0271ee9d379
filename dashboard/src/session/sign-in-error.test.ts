import { endsSignIn, inWords, signInError } from './sign-in-error';

describe('an error of signing in', () => {
  it.each([
    ['auth/popup-blocked', /blocked .* allow pop-ups/],
    ['auth/popup-closed-by-user', /was closed/],
    ['auth/network-request-failed', /cannot be reached/],
    ['auth/invalid-action-code', /used already.* Ask for a new one/],
    ['auth/expired-action-code', /too old.* Ask for a new one/],
    ['auth/too-many-requests', /Wait a few minutes/],
  ])('says of %s what happened and what to do', (code, words) => {
    expect(signInError({ code })).toMatchObject({ message: expect.stringMatching(words), type: code });
  });

  it.each([[{ code: 'auth/never-heard-of' }], [new TypeError('x is undefined')], [undefined], [{ code: 7 }]])(
    'shows no words of the machine for %p',
    (error) => expect(signInError(error).message).toBe('Signing in did not work. Try again, or use the other way.'),
  );

  it('comes in place of the one that Firebase throws', async () => {
    const work = () => Promise.reject(Object.assign(new Error('Firebase: raw'), { code: 'auth/timeout' }));
    await expect(inWords(work)).rejects.toThrow('did not answer in time');
    expect(await inWords(async () => 7)).toBe(7);
  });
});

describe('a sign-in that Firebase proves no more', () => {
  it.each([
    ['auth/user-disabled', /disabled/],
    ['auth/user-token-expired', /was ended.* Sign in again/],
    ['auth/invalid-refresh-token', /was ended.* Sign in again/],
  ])('is over with %s', (code, words) => {
    expect(signInError({ code }).message).toMatch(words);
    expect(endsSignIn(signInError({ code }))).toBe(true);
  });

  it.each(['auth/network-request-failed', 'auth/timeout', 'auth/too-many-requests', 'auth/internal-error'])(
    'is not over with %s, which may pass',
    (code) => expect(endsSignIn(signInError({ code }))).toBe(false),
  );
});
