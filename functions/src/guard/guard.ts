import { isRefusal, type Refusal, refuse } from '../errors';
import type { Clock } from '../lib/clock';
import { Lru } from '../lib/lru';
import type { Access, AccessStore, Admission, RateLimit, Reservation } from '../store/store';
import { bearerKey, hashKey, isWellFormedKey, type Pepper } from './api-key';
import type { Limiter } from './limiter';
import { retryAfterSeconds } from './rate-limit';
import { isActivePro } from './subscription';

/** Who calls: taken from the key alone, never from input. */
export interface Caller {
  readonly userId: string;
  readonly keyId: string;
  readonly keyName: string;
}

/** A request that may go on, with what its reply says about the limit. */
export interface Admitted {
  readonly headers: Readonly<Record<string, string>>;
}

/** The checks in front of every endpoint: key (401) → subscription (403) → [validation] → admission (429). */
export interface Guard {
  /** `limited` (default): the request must be admitted later, so a caller known to be blocked need not be looked up. */
  identify(authorization: string | undefined, limited?: boolean): Promise<Caller | Refusal>;
  admit(caller: Caller, reservation: Reservation): Promise<Admitted | Refusal>;
}

/** What the guard works with. */
export interface GuardOptions {
  readonly store: AccessStore;
  readonly limiter: Limiter;
  readonly clock: Clock;
  readonly keyPrefix: string;
  /** Newest first. */
  readonly peppers: readonly Pepper[];
}

/** Callers remembered at most, for the time they are blocked. */
const CALLERS_MAX = 10_000;

/**
 * Builds the guard. Nothing about a key or subscription is cached: a change acts on the next request. The one
 * exception lets nobody in: a caller who is blocked by the limiter is not looked up, so that a flood costs no reads,
 * and such a request can only be refused, however long its body takes to arrive.
 */
export function createGuard(options: GuardOptions): Guard {
  const { limiter } = options;
  const callers = new Lru<string, Caller>(CALLERS_MAX);
  const denials = new WeakMap<Caller, Admission>();
  return {
    identify: async (authorization, limited = true) => {
      const hashes = keyHashes(options, authorization);
      if (hashes.length === 0) return refuse('unauthorized');
      const known = limited
        ? hashes.map((hash) => callers.get(hash)).find((caller) => caller !== undefined)
        : undefined;
      const denial = known && limiter.blocked(known.userId);
      if (denial) {
        const blocked = { ...known };
        denials.set(blocked, denial);
        return blocked;
      }
      const access = await options.store.readAccess(hashes);
      const caller = callerOf(access, options.clock.nowMs());
      if (access && !isRefusal(caller)) callers.set(access.key.hash, caller);
      return caller;
    },
    admit: async (caller, reservation) => {
      const admission = denials.get(caller) ?? (await limiter.admit(reservation));
      return answerOf(admission, limiter.limit);
    },
  };
}

/** The limiter's word as its caller gets it: headers that tell the limit, a 429 when there is no room. */
export function answerOf(admission: Admission, limit: RateLimit): Admitted | Refusal {
  const headers = limitHeaders(limit.max, admission);
  if (admission.admitted) return { headers };
  const seconds = retryAfterSeconds(admission.waitMs, limit.windowMs);
  return refuse('rate_limited', undefined, { ...headers, 'retry-after': String(seconds) });
}

/** The look-up ids of the key sent, one a pepper; none for a text that cannot be a key of ours: junk costs no read. */
function keyHashes({ keyPrefix, peppers }: GuardOptions, authorization: string | undefined): string[] {
  const key = bearerKey(authorization);
  if (key === undefined || !isWellFormedKey(key, keyPrefix)) return [];
  return peppers.map((pepper) => hashKey(key, pepper));
}

/** One 401 for every cause: nobody learns whether a key exists, is revoked, or has expired. */
function callerOf(access: Access | undefined, nowMs: number): Caller | Refusal {
  if (access?.key.status !== 'active') return refuse('unauthorized');
  const { keyId, userId, name, expiresAtMs } = access.key;
  if (expiresAtMs !== null && expiresAtMs <= nowMs) return refuse('unauthorized');
  if (!isActivePro(access.subscription)) return refuse('no_subscription');
  return { userId, keyId, keyName: name };
}

function limitHeaders(max: number, admission: Admission): Record<string, string> {
  const waitMs = admission.admitted ? admission.resetMs : admission.waitMs;
  return {
    'x-ratelimit-limit-requests': String(max),
    'x-ratelimit-remaining-requests': String(admission.admitted ? admission.remaining : 0),
    'x-ratelimit-reset-requests': `${Math.ceil(waitMs / 1000)}s`,
  };
}
