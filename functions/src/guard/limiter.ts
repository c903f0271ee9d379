import type { Clock } from '../lib/clock';
import { Lru } from '../lib/lru';
import type { Reservation } from '../usage/ledger-store';
import type { Admission, AdmissionStore, RateLimit } from './rate-limit';

/** Decides whether requests get in: exact across processes, cheap under floods. */
export interface Limiter {
  readonly limit: RateLimit;
  admit(reservation: Reservation): Promise<Admission>;
  /** The denial this process knows of, without asking; undefined when the user may be admitted. */
  blocked(userId: string): Admission | undefined;
}

interface Waiting extends PromiseWithResolvers<Admission> {
  readonly reservation: Reservation;
}

/** Blocked users remembered at most; beyond it the one silent longest is asked of the store again. */
const BLOCKED_MAX = 10_000;

/**
 * The limiter of one process over the shared log. Requests of one user that arrive while a commit is under way are
 * decided together in the next one (group commit). A user known to be blocked is refused from memory: slots only ever
 * free with time, so that is exact and costs no read.
 */
export function createLimiter(store: AdmissionStore, limit: RateLimit, clock: Clock): Limiter {
  const queues = new Map<string, Waiting[]>();
  const blockedUntilMs = new Lru<string, number>(BLOCKED_MAX);

  return {
    limit,
    blocked: stillBlocked,
    admit: (reservation) => {
      const blocked = stillBlocked(reservation.userId);
      if (blocked) return Promise.resolve(blocked);
      const waiting = { reservation, ...Promise.withResolvers<Admission>() };
      const queue = queues.get(reservation.userId);
      if (queue) queue.push(waiting);
      else void drain(reservation.userId, [waiting]);
      return waiting.promise;
    },
  };

  function stillBlocked(userId: string): Admission | undefined {
    const waitMs = (blockedUntilMs.get(userId) ?? 0) - clock.nowMs();
    if (waitMs > 0) return { admitted: false, waitMs };
    blockedUntilMs.delete(userId);
    return undefined;
  }

  /** Commits batch after batch until no request of this user waits. Never rejects: failures go to the requests. */
  async function drain(userId: string, first: Waiting[]): Promise<void> {
    const queue: Waiting[] = [];
    queues.set(userId, queue);
    for (let batch = first; batch.length > 0; batch = queue.splice(0)) await commit(userId, batch);
    queues.delete(userId);
  }

  async function commit(userId: string, batch: Waiting[]): Promise<void> {
    const nowMs = clock.nowMs();
    try {
      const reservations = batch.map(({ reservation }) => reservation);
      const admissions = await store.admit(limit, reservations, nowMs);
      for (const [index, { resolve }] of batch.entries()) {
        const admission = admissions[index];
        if (!admission) throw new Error('the store left a request undecided');
        if (!admission.admitted) blockedUntilMs.set(userId, nowMs + admission.waitMs);
        resolve(admission);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
