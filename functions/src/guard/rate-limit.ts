import type { Admission, RateLimit, Reservation } from '../store/store';

/** One admission the limiter remembers: when (ms since the epoch, in the limiter's own time) and which request. */
export interface LogEntry {
  readonly t: number;
  readonly r: string;
}

/** What `admitAll` decides by. `nowMs` is the caller's clock; the limiter never goes back behind its newest entry. */
export interface LimiterTerms {
  readonly limit: RateLimit;
  readonly nowMs: number;
}

/** The log to keep and one word per request, in the order asked. */
export interface LimiterDecision {
  readonly log: LogEntry[];
  readonly admissions: Admission[];
}

/**
 * The exact sliding log: at most `limit.max` admissions in any half-open window of `limit.windowMs`.
 * `log` is oldest first, as returned by the last decision. Requests are decided in order; an id that is already
 * logged is admitted again without a second entry, so a repeated commit counts once. Pure: the caller stores `log`,
 * and only when something was admitted. Throws a RangeError when the clock is not a whole number of milliseconds.
 *
 * Why a log: of the usual limiters only this one keeps the promise for every window; calendar windows, two weighted
 * buckets and GCRA all let nearly twice the limit through around a boundary.
 */
export function admitAll(
  log: readonly LogEntry[],
  requestIds: readonly string[],
  { limit, nowMs }: LimiterTerms,
): LimiterDecision {
  if (!Number.isSafeInteger(nowMs)) throw new RangeError(`not a moment in milliseconds: ${nowMs}`);
  const now = Math.max(nowMs, log.at(-1)?.t ?? nowMs);
  const kept = log.filter((entry) => entry.t > now - limit.windowMs);
  const known = new Set(kept.map((entry) => entry.r));
  const admissions = requestIds.map((r): Admission => {
    if (!known.has(r)) {
      if (kept.length >= limit.max) return denied(kept, limit, now);
      kept.push({ t: now, r });
      known.add(r);
    }
    return admitted(kept, limit, now);
  });
  return { log: kept, admissions };
}

/** Whose requests these are; undefined for none. Throws when they are not all of one user. */
export function ownerOf(reservations: readonly Reservation[]): string | undefined {
  const userId = reservations[0]?.userId;
  if (reservations.some((reservation) => reservation.userId !== userId)) {
    throw new Error('reservations of different users cannot be decided together');
  }
  return userId;
}

/**
 * The `Retry-After` of a denial: whole seconds, rounded up so that the retry is never early, at least 1 and at most
 * the window.
 */
export function retryAfterSeconds(waitMs: number, windowMs: number): number {
  return Math.min(Math.max(1, Math.ceil(waitMs / 1000)), Math.ceil(windowMs / 1000));
}

function admitted(log: readonly LogEntry[], limit: RateLimit, now: number): Admission {
  const oldest = log[0];
  const resetMs = oldest ? oldest.t + limit.windowMs - now : 0;
  return { admitted: true, remaining: Math.max(0, limit.max - log.length), resetMs };
}

/** A log longer than `max` (the limit was lowered) must lose several entries before the next request fits. */
function denied(log: readonly LogEntry[], limit: RateLimit, now: number): Admission {
  const lastToLeave = log[log.length - limit.max];
  const retryAtMs = (lastToLeave?.t ?? now) + limit.windowMs;
  return { admitted: false, retryAtMs, waitMs: retryAtMs - now };
}
