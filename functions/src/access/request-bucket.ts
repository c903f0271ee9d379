import { type Refusal, refuse } from '../errors';
import type { Clock } from '../lib/clock';
import { Lru } from '../lib/lru';
import { retryAfterSeconds } from './rate-limit';

const REQUESTS_MAX = 120;
const REFILL_MS = 60_000;
const TOKEN_MS = REFILL_MS / REQUESTS_MAX;
/** Users remembered at most; one who is forgotten has a full bucket. */
const USERS_MAX = 10_000;

/**
 * Bound on requests that take no rate slot: reads, and those refused after their key was accepted. A bucket a
 * user and process, 120 requests deep, into which two a second come back.
 */
export class RequestBucket {
  /** Moments when buckets are full again, by user. */
  readonly #fullAtMs = new Lru<string, number>(USERS_MAX);
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A 429 while a user's bucket is empty. */
  refusal(userId: string): Refusal | undefined {
    const waitMs = this.#refillsInMs(userId) + TOKEN_MS - REFILL_MS;
    if (waitMs <= 0) return undefined;
    return refuse('rate_limited', undefined, { 'retry-after': String(retryAfterSeconds(waitMs, REFILL_MS)) });
  }

  /** Takes one request out. */
  take(userId: string): void {
    this.#fullAtMs.set(userId, this.#clock.monotonicMs() + this.#refillsInMs(userId) + TOKEN_MS);
  }

  /** Time until the bucket is full again. */
  #refillsInMs(userId: string): number {
    return Math.max(0, (this.#fullAtMs.get(userId) ?? 0) - this.#clock.monotonicMs());
  }
}
