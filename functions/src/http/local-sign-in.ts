import { type Refusal, refuse } from '../errors';
import type { SignIn, SignInAttempt } from '../guard/sign-in';
import type { Clock } from '../lib/clock';

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;
const LOOPBACK_ADDRESS = /^(?:::ffff:)?127(?:\.\d{1,3}){3}$|^::1$/;
/** A proxy says with any of these that it speaks for somebody else. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];
/** What a browser says of a request that the page itself, or its user, has made. */
const OWN_SITES = ['same-origin', 'none'];
/** A header that no form can send, and no other site without asking first. */
const WRITE_HEADER = 'x-dashboard';

/**
 * The sign-in of a server on the machine of its only user: whoever sits there is that user. All that proves it is that
 * the request comes from this machine, names it, and was made by the dashboard's own page: other sites reach this
 * machine through its browser, under their own name or under one that they have pointed here (DNS rebinding). A proxy
 * before the server would pass on anybody's requests, so its requests are refused; those of HTTP/1.0 are a proxy's, too.
 */
export function localSignIn(userId: string, clock: Clock): SignIn {
  return async (attempt) => flawOf(attempt) ?? { userId, signedInAtMs: clock.nowMs() };
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
