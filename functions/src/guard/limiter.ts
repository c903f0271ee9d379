import type { Clock } from '../lib/clock';
import { Lru } from '../lib/lru';
import type { Admission, AdmissionStore, RateLimit, Reservation } from '../store/store';

/** Decides whether requests get in. Exact across processes; cheap under floods. */
export interface Limiter {
  readonly limit: RateLimit;
  admit(reservation: Reservation): Promise<Admission>;
  /** The denial this process knows of, without asking; undefined when the user may be admitted. */
  blocked(userId: string): Admission | undefined;
}

interface Waiting {
  readonly reservation: Reservation;
  resolve(admission: Admission): void;
  reject(error: unknown): void;
}

/** Blocked users remembered at most; beyond it the one silent longest is asked of the store again. */
const BLOCKED_MAX = 10_000;

/**
 * The limiter of one process over the shared log. Requests of one user that arrive while a commit is under way wait
 * and are decided together in the next one (group commit). A user known to be blocked is refused from memory:
 * slots only ever free with time, so that is exact and costs no read.
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
      return new Promise((resolve, reject) => enqueue({ reservation, resolve, reject }));
    },
  };

  function stillBlocked(userId: string): Admission | undefined {
    const retryAtMs = blockedUntilMs.get(userId);
    if (retryAtMs === undefined) return undefined;
    const waitMs = retryAtMs - clock.nowMs();
    if (waitMs > 0) return { admitted: false, retryAtMs, waitMs };
    blockedUntilMs.delete(userId);
    return undefined;
  }

  function enqueue(waiting: Waiting): void {
    const { userId } = waiting.reservation;
    const queue = queues.get(userId);
    if (queue) {
      queue.push(waiting);
      return;
    }
    queues.set(userId, []);
    void drain(userId, [waiting]);
  }

  /** Commits batch after batch until nobody of this user waits. Never rejects: failures go to the waiting requests. */
  async function drain(userId: string, first: Waiting[]): Promise<void> {
    for (let batch = first; batch.length > 0; batch = queues.get(userId)?.splice(0) ?? []) {
      await commit(userId, batch);
    }
    queues.delete(userId);
  }

  async function commit(userId: string, batch: Waiting[]): Promise<void> {
    const nowMs = clock.nowMs();
    try {
      const reservations = batch.map(({ reservation }) => reservation);
      const admissions = await store.admit(limit, reservations, nowMs);
      for (const [index, waiting] of batch.entries()) {
        const admission = admissions[index];
        if (!admission) throw new Error('the store left a request undecided');
        if (!admission.admitted) blockedUntilMs.set(userId, nowMs + admission.waitMs);
        waiting.resolve(admission);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
