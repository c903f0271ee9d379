import { APP_CHECK_WAIT_MS, appCheckOf } from './app-check';

describe('App Check of the page', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('sends the token that there is, and renews it when asked to', async () => {
    const kinds: string[] = [];
    const check = appCheckOf(async (kind) => `token ${kinds.push(kind)}`);
    expect(await check.proof()).toEqual({ 'x-firebase-appcheck': 'token 1' });
    expect(await check.renew()).toBe(true);
    expect(kinds).toEqual(['any', 'new']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('renews once a minute at most, for all requests that are refused meanwhile', async () => {
    let asked = 0;
    const check = appCheckOf(async () => `token ${++asked}`);
    expect(await Promise.all([check.renew(), check.renew()])).toEqual([true, true]);
    jest.advanceTimersByTime(59_999);
    expect([await check.renew(), asked]).toEqual([true, 1]);
    jest.advanceTimersByTime(1);
    expect([await check.renew(), asked]).toEqual([true, 2]);
  });

  it('sends the request without one where none can be got, so that the server says what that means', async () => {
    const check = appCheckOf(() => Promise.reject(new Error('appCheck/recaptcha-error')));
    expect(await check.proof()).toEqual({});
    expect(await check.renew()).toBe(false);
  });

  it('waits once for a token that never comes, and takes it when it does come after all', async () => {
    let come: (token: string) => void = () => {};
    const coming = new Promise<string>((resolve) => {
      come = resolve;
    });
    const check = appCheckOf(() => coming);
    const first = check.proof();
    jest.advanceTimersByTime(APP_CHECK_WAIT_MS);
    expect(await first).toEqual({});
    const second = check.proof();
    jest.advanceTimersByTime(0);
    expect(await second).toEqual({});
    come('late');
    expect(await check.proof()).toEqual({ 'x-firebase-appcheck': 'late' });
  });
});
