import { isRefusal, type Refusal, refuse } from '../errors';
import type { Reservation } from '../ledger/ledger-store';
import type { Clock } from '../lib/clock';
import type { Log } from '../lib/log';
import { Lru } from '../lib/lru';
import { fitsPattern } from '../models/model-policy';
import { bearerKey, createKeyTags, hashKey, isWellFormedKey } from './api-key';
import type { ServerBudget } from './budget';
import { refuseUsedUp } from './budget';
import { isLive, isUseDue, limitsOf } from './key-state';
import type { Access, AccessStore, EndpointName, KeyLimits, KeyRecord, KeyTagStore } from './key-store';
import type { Limiter } from './limiter';
import { RequestBucket } from './limiter';
import type { Pepper } from './peppers';
import { type Admission, type RateLimit, retryAfterSeconds } from './rate-limit';
import { isActivePro } from './subscription';

/** Caller of a request: taken from the key alone, never from input. */
export interface Caller {
  readonly userId: string;
  readonly keyId: string;
  readonly originId?: string;
  readonly keyName: string;
  readonly limits?: KeyLimits;
  readonly budgetNanoUsd?: number;
  /** Set for a caller who is known to be over the limit, without having been looked up: its request will be refused. */
  readonly denial?: Admission;
}

/** The answer to a request for admission: what the reply of one that may go on says about the limit, or a 429 or 403. */
export type LimitAnswer = { readonly headers: Readonly<Record<string, string>> } | Refusal;

/** The checks in front of every endpoint: key (401) → subscription (403) → bucket (429) → [validation] → admission (429, 403). */
export interface Guard {
  /** `limited` (default): the request must be admitted later, so a caller known to be blocked need not be looked up. */
  identify(authorization: string | undefined, limited?: boolean): Promise<Caller | Refusal>;
  /** Counts a request that takes no rate slot: a read, or one refused for its own fault (`RequestBucket`). */
  count(caller: Caller): void;
  admit(caller: Caller, reservation: Reservation): Promise<LimitAnswer>;
}

export interface GuardDeps {
  readonly store: AccessStore & KeyTagStore;
  readonly limiter: Limiter;
  readonly serverBudget: ServerBudget;
  readonly clock: Clock;
  readonly keyPrefix: string;
  /** Newest first. */
  readonly peppers: readonly Pepper[];
  readonly log?: Pick<Log, 'warn'>;
}

const CALLERS_MAX = 10_000;

/** Builds the guard, which caches neither key nor subscription: a change acts on the next request. */
export function createGuard(deps: GuardDeps): Guard {
  const { store, limiter, clock, keyPrefix, peppers, log } = deps;
  const isIssued = createKeyTags(store, peppers, clock);
  const callers = new Lru<string, Caller>(CALLERS_MAX);
  /** Times at which this process last noted a use, by the key's id: until that is read back it would be noted again. */
  const usedAtMs = new Lru<string, number>(CALLERS_MAX);
  const bucket = new RequestBucket(clock);
  return {
    identify: async (authorization, limited = true) => {
      const key = bearerKey(authorization);
      // A text that was never issued costs no read.
      if (key === undefined || !isWellFormedKey(key, keyPrefix)) return refuse('unauthorized');
      if (!(await isIssued(key))) return refuse('unauthorized');
      const hashes = peppers.map((pepper) => hashKey(key, pepper));
      return refusedUnseen(hashes, limited) ?? lookUp(key, hashes);
    },
    count: ({ userId }) => bucket.take(userId),
    admit: (caller, reservation) => admitCaller(deps, caller, reservation),
  };

  async function lookUp(key: string, hashes: readonly string[]): Promise<Caller | Refusal> {
    const access = await store.readAccess(hashes);
    const caller = callerOf(access, clock.nowMs());
    if (!access || isRefusal(caller)) {
      for (const hash of hashes) callers.delete(hash);
      return caller;
    }
    callers.set(access.key.hash, caller);
    if (access.key.pepperVersion !== peppers[0]?.version) void rehash(key, access.key);
    void noteUse(access.key);
    return bucket.refusal(caller.userId) ?? caller;
  }

  /** Answer for a caller who was seen before and can only be refused now; one over the limit is returned as a caller, who is refused later. */
  function refusedUnseen(hashes: readonly string[], limited: boolean): Caller | Refusal | undefined {
    const caller = hashes.map((hash) => callers.get(hash)).find(Boolean);
    if (!caller) return undefined;
    const denial = limited ? limiter.blocked(caller) : undefined;
    return bucket.refusal(caller.userId) ?? (denial && { ...caller, denial });
  }

  /** Notes beside its request that a key is in use, about once a minute. Never rejects. */
  async function noteUse({ hash, keyId, lastUsedAtMs }: KeyRecord): Promise<void> {
    const nowMs = clock.nowMs();
    if (!isUseDue(lastUsedAtMs, nowMs) || !isUseDue(usedAtMs.get(keyId), nowMs)) return;
    usedAtMs.set(keyId, nowMs);
    const noted = store.noteKeyUse(hash, nowMs);
    await noted.catch((error: unknown) => log?.warn('use of a key not noted', { keyId }, error));
  }

  /** Moves a key to the newest pepper beside its request, so that the old one can be retired. Never rejects. */
  async function rehash(key: string, { hash: from, keyId }: KeyRecord): Promise<void> {
    const [newest] = peppers;
    if (!newest) return;
    const moved = store.rehashKey(from, { hash: hashKey(key, newest), pepperVersion: newest.version });
    // It still works under its old pepper: its next request tries again.
    await moved.catch((error: unknown) => log?.warn('rehash failed', { keyId }, error));
  }
}

/** Admits a request: the deployment's budget first, then limits and budgets of user and key in one commit. */
export async function admitCaller(
  { limiter, serverBudget }: Pick<GuardDeps, 'limiter' | 'serverBudget'>,
  { denial, limits = {}, budgetNanoUsd }: Caller,
  reservation: Reservation,
): Promise<LimitAnswer> {
  const { requestsPerMinute: keyMax, budgetNanoUsd: keyNanoUsd } = limits;
  const limit = { ...limiter.limit, max: Math.min(limiter.limit.max, keyMax ?? Infinity) };
  if (denial) return answerOf(denial, limit);
  const isPaid = reservation.calls !== null;
  const refused = isPaid ? await serverBudget.refusal(reservation) : undefined;
  if (refused) return refused;
  const budgets = {
    ...(keyNanoUsd !== undefined && { keyNanoUsd }),
    ...(budgetNanoUsd !== undefined && { userNanoUsd: budgetNanoUsd }),
  };
  const request = { ...reservation, ...(keyMax !== undefined && { keyMax }), ...(isPaid && { budgets }) };
  return answerOf(await limiter.admit(request), limit);
}

/** Texts of the 429 of a limit, where it is not the usual one. */
const LIMIT_WORDS: Readonly<Partial<Record<RateLimit['name'], (max: number) => string>>> = {
  byok: (max) => `Rate limit exceeded: none of your ${max} runs a minute is left`,
  files: (max) => `Rate limit exceeded: none of your ${max} runs a minute with files is left`,
};

/** The limiter's decision as its caller gets it: headers that tell the limit, a 429 when there is no room, a 403 when no budget. */
export function answerOf(admission: Admission, { name, max, windowMs }: RateLimit): LimitAnswer {
  if ('usedUp' in admission) return refuseUsedUp(admission.usedUp);
  const resetMs = admission.admitted ? admission.resetMs : admission.waitMs;
  const headers = {
    'x-ratelimit-limit-requests': String(max),
    'x-ratelimit-remaining-requests': String(admission.admitted ? admission.remaining : 0),
    'x-ratelimit-reset-requests': `${Math.ceil(resetMs / 1000)}s`,
  };
  if (admission.admitted) return { headers };
  const seconds = retryAfterSeconds(admission.waitMs, windowMs);
  return refuse('rate_limited', LIMIT_WORDS[name]?.(max), { ...headers, 'retry-after': String(seconds) });
}

/** One 401 for every cause: nobody learns whether a key exists, is revoked, or has expired. */
function callerOf(access: Access | undefined, nowMs: number): Caller | Refusal {
  if (!access || !isLive(access.key, nowMs)) return refuse('unauthorized');
  if (!isActivePro(access.subscription)) return refuse('no_subscription');
  const { keyId, originId, userId, name } = access.key;
  const budgetNanoUsd = access.subscription?.budgetNanoUsd;
  const budget = budgetNanoUsd === undefined ? {} : { budgetNanoUsd };
  const origin = originId === undefined ? {} : { originId };
  return { userId, keyId, ...origin, keyName: name, limits: limitsOf(access.key), ...budget };
}

export function refuseEndpoint(limits: KeyLimits | undefined, endpoint: EndpointName): Refusal | undefined {
  if (limits?.endpoints?.includes(endpoint) ?? true) return undefined;
  return refuse('not_allowed', `This API key may not use the endpoint ${endpoint}`);
}

/** A 403 that names the first of `modelIds` a key may not use: every model that a request may call must be allowed. */
export function refuseModels(limits: KeyLimits | undefined, modelIds: Iterable<string>): Refusal | undefined {
  for (const id of modelIds) {
    if (!mayUseModel(limits, id)) return refuse('not_allowed', `This API key may not use the model ${id}`);
  }
  return undefined;
}

export function mayUseModel(limits: KeyLimits | undefined, modelId: string): boolean {
  return limits?.models === undefined || fitsPattern(modelId, limits.models);
}
