import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import type { App } from '../../../functions/test/support/app';

interface Hosting {
  readonly headers: readonly { readonly source: string; readonly headers: readonly { key: string; value: string }[] }[];
}

const FIREBASE = join(__dirname, '../../../firebase.json');
const HOUR_SECONDS = 3_600;
const USER = { localId: 'demo', email: 'ada@example.com', displayName: 'Ada' };
const GOOGLE = { providerId: 'google.com', rawId: '1', federatedId: '1', email: USER.email };
const RECENT_LOGIN = { error: { message: 'Sign in again', type: 'recent_login_required' } };

/** The target of the link of an e-mail; opened in a browser that has asked for none, it asks for the address. */
export const LINK = '/sign-in?mode=signIn&oobCode=code&apiKey=key';
/** The address of the one user. */
export const EMAIL = USER.email;

/**
 * Lets the pages of a server of one machine be as they are hosted, for one user whose sign-in is an hour old: with the headers
 * of Firebase Hosting, and with the replies of Firebase Auth. The account is that of the server.
 */
export async function hostSession(page: Page, { baseUrl, clock }: App, localId = USER.localId): Promise<void> {
  const config = { mode: 'firebase', firebase: { apiKey: 'key', authDomain: '127.0.0.1' }, authEmulatorUrl: baseUrl };
  const user = { ...USER, localId };
  const tokens = tokensOf(Math.floor(clock.nowMs() / 1_000), localId);
  const replies: Readonly<Record<string, object>> = {
    'dashboard/config.json': config,
    'accounts:sendOobCode': { email: USER.email },
    'accounts:signInWithEmailLink': { ...user, ...tokens },
    'accounts:lookup': { users: [{ ...user, emailVerified: true, providerUserInfo: [GOOGLE] }] },
  };
  await page.route(`${baseUrl}/**`, async (route) => {
    const request = route.request();
    const url = request.url();
    const [, reply] = Object.entries(replies).find(([path]) => url.includes(path)) ?? [];
    if (reply) return route.fulfill({ json: reply });
    if (request.method() === 'POST' && url.endsWith('/dashboard/keys'))
      return route.fulfill({ status: 403, json: RECENT_LOGIN });
    return request.resourceType() === 'document' ? documentOf(route) : route.continue();
  });
}

async function documentOf(route: Route): Promise<void> {
  const { hosting } = JSON.parse(readFileSync(FIREBASE, 'utf8')) as { hosting: Hosting };
  const ofPages = hosting.headers.find(({ source }) => source.startsWith('/{,index.html,'))?.headers ?? [];
  const response = await route.fetch();
  const headers = Object.fromEntries(ofPages.map(({ key, value }) => [key, value]));
  await route.fulfill({ response, headers: { ...response.headers(), ...headers } });
}

function tokensOf(nowSeconds: number, sub: string) {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = {
    sub,
    iat: nowSeconds,
    exp: nowSeconds + HOUR_SECONDS,
    auth_time: nowSeconds - HOUR_SECONDS,
  };
  return {
    idToken: `${part({ alg: 'none' })}.${part(claims)}.`,
    refreshToken: 'refresh',
    expiresIn: String(HOUR_SECONDS),
  };
}
