import { timingSafeEqual } from 'node:crypto';
import type { SignIn, SignInAttempt } from '../access/sign-in';
import { type Refusal, refuse } from '../errors';
import type { Clock } from '../lib/clock';
import type { OpenRoute } from './route';
import { ACCOUNT_PATH } from './route-table';
import type { StaticReply } from './static-reply';

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;
const LOOPBACK_ADDRESS = /^(?:::ffff:)?127(?:\.\d{1,3}){3}$|^::1$/;
/** A proxy says with any of these that it speaks for somebody else. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];
/** Values of `sec-fetch-site` for requests of the page itself or its user. */
const OWN_SITES = ['same-origin', 'none'];
/** A header that no form can send, and no other site without asking first. */
const WRITE_HEADER = 'x-dashboard';

const TOKEN = 'token';
const NO_LINK = refuse(
  'not_signed_in',
  'Not signed in: open the link that npm start printed, which ends in ?token=…; one of an earlier start is out of date',
);

/**
 * Takes whoever has the secret for the user of this machine. The request must come from this machine, name it, and be made
 * by the dashboard's own page: other sites reach this machine through its browser, under their own name or under one that
 * they have pointed here (DNS rebinding). Requests that a proxy says it passes on are refused; against a proxy that does
 * not say so, and against other accounts of the machine, there is the secret.
 */
export function localSignIn(userId: string, secret: string, clock: Clock): SignIn {
  return async (attempt) => {
    const flaw = flawOf(attempt);
    if (flaw) return flaw;
    return hasCookie(attempt, secret) ? { userId, signedInAtMs: clock.nowMs() } : NO_LINK;
  };
}

/** A page that may be asked for with the secret as its token: leads to itself without it, and sets a cookie. */
export function withToken(secret: string, page: () => StaticReply) {
  return (...[query, { host }, path]: Parameters<OpenRoute['handle']>): StaticReply => {
    const token = query.get(TOKEN);
    if (token === null) return page();
    query.delete(TOKEN);
    const location = query.size > 0 ? `${path}?${query}` : path;
    const cookie = `${cookieOf(host, secret)}; Path=${ACCOUNT_PATH}; HttpOnly; SameSite=Strict`;
    const headers = { location, 'cache-control': 'no-store', ...(isSame(token, secret) && { 'set-cookie': cookie }) };
    return { status: 303, bytes: Buffer.alloc(0), headers };
  };
}

/** Another server of this machine may have set a cookie of the name, too. */
function hasCookie({ headers }: SignInAttempt, secret: string): boolean {
  const sent = headers['cookie']?.toString().split(';') ?? [];
  return sent.some((one) => isSame(one.trim(), cookieOf(headers['host']?.toString(), secret)));
}

/** A browser sends the cookies of a host to all of its ports: each has one of its own. */
function cookieOf(host = '', secret: string): string {
  return `ensemble-dashboard-${/:(\d+)$/.exec(host)?.[1] ?? '80'}=${secret}`;
}

/** Takes as long wherever two texts differ. */
function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function flawOf({ method, headers, httpVersion, remoteAddress = '' }: SignInAttempt): Refusal | undefined {
  const text = (name: string): string | undefined => headers[name]?.toString();
  const host = text('host') ?? '';
  const origin = text('origin');
  const site = text('sec-fetch-site');
  const isDirect =
    LOOPBACK_ADDRESS.test(remoteAddress) &&
    httpVersion !== '1.0' &&
    PROXY_HEADERS.every((name) => headers[name] === undefined);
  if (!isDirect || !LOOPBACK_HOST.test(host)) return refuse('not_allowed', 'The dashboard is for this machine alone');
  const isOwnPage =
    (origin === undefined || origin.toLowerCase() === `http://${host.toLowerCase()}`) &&
    (site === undefined || OWN_SITES.includes(site));
  if (!isOwnPage) return refuse('not_allowed', 'The dashboard is for its own page alone');
  const isRead = method === 'GET' || method === 'HEAD';
  if (isRead || text(WRITE_HEADER) === '1') return undefined;
  return refuse('not_allowed', `Missing header ${WRITE_HEADER}: 1`);
}
