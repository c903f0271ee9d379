/** Shows to the server that it is this page that asks. */
export interface AppCheck {
  /** The headers of a request; none where no token can be got: the server says what that means, and by which request id. */
  proof(): Promise<Readonly<Record<string, string>>>;
  /** Gets a new token, at most one a minute; false where none could be got. */
  renew(): Promise<boolean>;
}

/** So long a request waits for a token. A browser that blocks reCAPTCHA would let it wait for ever, without an error. */
export const APP_CHECK_WAIT_MS = 10_000;
/** However many requests are refused, new tokens are asked for no more often: each costs the operator an assessment. */
const RENEWAL_MS = 60_000;

/** App Check by tokens of `getToken`, which may reject, or never settle. */
export function appCheckOf(getToken: (kind: 'any' | 'new') => Promise<string>): AppCheck {
  let waitMs = APP_CHECK_WAIT_MS;
  let renewal: Promise<boolean> | undefined;
  let renewedAtMs = 0;
  const tokenOf = (kind: 'any' | 'new'): Promise<string | undefined> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => {
        // The next requests do not wait for what did not come.
        waitMs = 0;
        resolve(undefined);
      }, waitMs);
      const settle = (token: string | undefined): void => {
        clearTimeout(timer);
        if (token !== undefined) waitMs = APP_CHECK_WAIT_MS;
        resolve(token);
      };
      getToken(kind).then(settle, () => settle(undefined));
    });
  return {
    proof: async () => {
      const token = await tokenOf('any');
      return { ...(token !== undefined && { 'x-firebase-appcheck': token }) };
    },
    renew: () => {
      if (renewal && Date.now() - renewedAtMs < RENEWAL_MS) return renewal;
      renewedAtMs = Date.now();
      renewal = tokenOf('new').then((token) => token !== undefined);
      return renewal;
    },
  };
}
