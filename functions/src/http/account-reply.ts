import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { RequestBucket } from '../access/limiter';
import { requireRecent, type SignIn } from '../access/sign-in';
import { isRefusal, type Refusal, refuse } from '../errors';
import type { Clock } from '../lib/clock';
import type { Reply } from './reply';
import type { AccountRequest, AccountRoute } from './route';

export interface AccountGate {
  readonly signIn: SignIn;
  /** Each user's requests in a minute, apart from those of their keys. */
  readonly bucket: RequestBucket;
  readonly clock: Clock;
  /** True if a platform stands before the process and says where requests come from. */
  readonly behindPlatform: boolean;
}

export interface AccountExchange extends Omit<AccountRequest, 'userId' | 'network' | 'readJson'> {
  readonly request: IncomingMessage;
  known(userId: string): void;
  readJson(userId: string): Promise<unknown>;
}

const CHALLENGE = { 'www-authenticate': 'Bearer realm="Ensemble API dashboard"' };

/** Checks sign-in (401), its age where that matters (403) and the rate (429), then runs the route. */
export async function accountReply(gate: AccountGate, route: AccountRoute, exchange: AccountExchange): Promise<Reply> {
  const { request, known, readJson, ...rest } = exchange;
  const { method = '', headers, httpVersion } = request;
  const { remoteAddress } = request.socket;
  const recent = route.recent === true;
  const signedIn = await gate.signIn({ method, headers, httpVersion, remoteAddress, recent });
  if (isRefusal(signedIn)) return challenged(signedIn);
  const { userId } = signedIn;
  known(userId);
  const refusal = gate.bucket.refusal(userId);
  if (refusal) return refusal;
  gate.bucket.take(userId);
  if (rest.clientGone.aborted) return refuse('internal');
  const stale = recent ? requireRecent(signedIn, gate.clock.nowMs()) : undefined;
  if (stale) return stale;
  const network = networkOf(request, gate.behindPlatform);
  return route.handle({ ...rest, userId, network, readJson: () => readJson(userId) });
}

function challenged(refusal: Refusal): Refusal {
  return refusal.code === 'not_signed_in' ? { ...refusal, headers: CHALLENGE } : refusal;
}

/** The first 24 bits of an IPv4 address, 48 of an IPv6 one; of the last forwarded one where a platform has added it. */
export function networkOf({ headers, socket }: IncomingMessage, behindPlatform: boolean): string {
  const forwarded = headers['x-forwarded-for']?.toString().split(',').at(-1)?.trim();
  const address = (behindPlatform ? forwarded : undefined) ?? socket.remoteAddress ?? '';
  const v4 = address.replace(/^::ffff:/, '');
  if (isIP(v4) === 4) return `${v4.split('.').slice(0, 3).join('.')}.0/24`;
  if (isIP(address) !== 6) return 'unknown';
  const [groups = ''] = address.split('::', 1);
  const first = [...groups.split(':').filter(Boolean), '0', '0', '0'].slice(0, 3);
  return `${first.join(':')}::/48`;
}
