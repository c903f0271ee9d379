import { type Refusal, refuse } from '../errors';
import type { Clock } from '../lib/clock';
import { Lru } from '../lib/lru';
import type { Admission, AdmissionRequest, AdmissionStore, RateLimit } from './rate-limit';
import { retryAfterSeconds } from './rate-limit';

/** Decides whether requests get in: exact across processes, cheap under floods. */
export interface Limiter {
  readonly limit: RateLimit;
  admit(request: AdmissionRequest): Promise<Admission>;
  /** The denial of a user or of one of its keys that this process knows of, without asking; undefined when there is none. */
  blocked(caller: Pick<AdmissionRequest, 'userId' | 'keyId'>): Admission | undefined;
}

interface Waiting extends PromiseWithResolvers<Admission> {
  readonly request: AdmissionRequest;
}

/** Users, and keys, that were blocked, remembered at most; beyond it the one silent longest is asked of the store again. */
const BLOCKED_MAX = 10_000;

/** The limiter of one process: requests of a user that arrive during a commit are decided together in the next one. */
export function createLimiter(store: AdmissionStore, limit: RateLimit, clock: Clock): Limiter {
  const queues = new Map<string, Waiting[]>();
  const usersUntilMs = new Lru<string, number>(BLOCKED_MAX);
  const keysUntilMs = new Lru<string, number>(BLOCKED_MAX);

  return {
    limit,
    blocked,
    admit: (request) => {
      const denial = blocked(request);
      if (denial) return Promise.resolve(denial);
      const waiting = { request, ...Promise.withResolvers<Admission>() };
      const queue = queues.get(request.userId);
      if (queue) queue.push(waiting);
      else void drain(request.userId, [waiting]);
      return waiting.promise;
    },
  };

  function blocked({ userId, keyId }: Pick<AdmissionRequest, 'userId' | 'keyId'>): Admission | undefined {
    const untilMs = Math.max(usersUntilMs.get(userId) ?? 0, keysUntilMs.get(keyId) ?? 0);
    const waitMs = untilMs - clock.monotonicMs();
    return waitMs > 0 ? { admitted: false, waitMs } : undefined;
  }

  function remember({ userId, keyId }: AdmissionRequest, admission: Admission, askedMs: number): void {
    if (!('waitMs' in admission)) return;
    if (admission.ofKey) keysUntilMs.set(keyId, askedMs + admission.waitMs);
    else usersUntilMs.set(userId, askedMs + admission.waitMs);
  }

  /** Commits batch after batch until no request of this user waits. Never rejects: failures go to the requests. */
  async function drain(userId: string, first: Waiting[]): Promise<void> {
    const queue: Waiting[] = [];
    queues.set(userId, queue);
    for (let batch = first; batch.length > 0; batch = queue.splice(0)) await commit(batch);
    queues.delete(userId);
  }

  async function commit(batch: Waiting[]): Promise<void> {
    const askedMs = clock.monotonicMs();
    try {
      const requests = batch.map(({ request }) => request);
      const admissions = await store.admit(limit, requests, clock.nowMs());
      for (const [index, { request, resolve }] of batch.entries()) {
        const admission = admissions[index];
        if (!admission) throw new Error('the store left a request undecided');
        remember(request, admission, askedMs);
        resolve(admission);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

const REQUESTS_MAX = 120;
const REFILL_MS = 60_000;
const TOKEN_MS = REFILL_MS / REQUESTS_MAX;
/** Users remembered at most; one who is forgotten has a full bucket. */
const USERS_MAX = 10_000;

/** Bound on requests that take no rate slot: reads, and those refused after their key was accepted. */
export class RequestBucket {
  readonly #fullAtMs = new Lru<string, number>(USERS_MAX);
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  refusal(userId: string): Refusal | undefined {
    const waitMs = this.#refillsInMs(userId) + TOKEN_MS - REFILL_MS;
    if (waitMs <= 0) return undefined;
    return refuse('rate_limited', undefined, { 'retry-after': String(retryAfterSeconds(waitMs, REFILL_MS)) });
  }

  take(userId: string): void {
    this.#fullAtMs.set(userId, this.#clock.monotonicMs() + this.#refillsInMs(userId) + TOKEN_MS);
  }

  #refillsInMs(userId: string): number {
    return Math.max(0, (this.#fullAtMs.get(userId) ?? 0) - this.#clock.monotonicMs());
  }
}
