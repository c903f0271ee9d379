import { type Refusal, refuse } from '../errors';
import type { Clock } from '../lib/clock';
import type { AccessStore, Admission, Reservation } from '../store/store';
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
  identify(authorization: string | undefined): Promise<Caller | Refusal>;
  admit(reservation: Reservation): Promise<Admitted | Refusal>;
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

/** Builds the guard. Nothing about a key or subscription is cached: a change acts on the next request. */
export function createGuard(options: GuardOptions): Guard {
  return {
    identify: (authorization) => identify(options, authorization),
    admit: async (reservation) => {
      const { limiter } = options;
      const admission = await limiter.admit(reservation);
      const headers = limitHeaders(limiter.limit.max, admission);
      if (admission.admitted) return { headers };
      const seconds = retryAfterSeconds(admission.waitMs, limiter.limit.windowMs);
      return refuse('rate_limited', undefined, { ...headers, 'retry-after': String(seconds) });
    },
  };
}

/** One 401 for every cause: nobody learns whether a key exists, is revoked, or has expired. */
async function identify(options: GuardOptions, authorization: string | undefined): Promise<Caller | Refusal> {
  const { store, clock, keyPrefix, peppers } = options;
  const key = bearerKey(authorization);
  if (key === undefined || !isWellFormedKey(key, keyPrefix)) return refuse('unauthorized');
  const access = await store.readAccess(peppers.map((pepper) => hashKey(key, pepper)));
  if (access?.key.status !== 'active') return refuse('unauthorized');
  const { keyId, userId, name, expiresAtMs } = access.key;
  if (expiresAtMs !== null && expiresAtMs <= clock.nowMs()) return refuse('unauthorized');
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
