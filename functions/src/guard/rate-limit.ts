import type { Reservation } from '../usage/ledger-store';

/** One user's limit: at most `max` admissions in any `windowMs`. */
export interface RateLimit {
  /** Which of a user's limits: each has a log of its own. */
  readonly name: 'api' | 'byok';
  readonly max: number;
  readonly windowMs: number;
}

/** What a user may ask of `/v1` (`docs/api.md`, Limits). */
export const API_LIMIT: RateLimit = { name: 'api', max: 30, windowMs: 60_000 };

/** The decision on one request. `resetMs`: until the oldest slot frees; `waitMs`: until a lone retry succeeds. */
export type Admission =
  | { readonly admitted: true; readonly remaining: number; readonly resetMs: number }
  | { readonly admitted: false; readonly waitMs: number };

export interface AdmissionStore {
  /**
   * Decides on `reservations` (all of one user) in order, in one commit: those let in are logged and their ledger
   * records opened; the others leave no trace. Safe to repeat: a request id already logged counts once. `nowMs` is the
   * caller's clock; a store whose processes' clocks may differ can decide by a clock of its own instead.
   */
  admit(limit: RateLimit, reservations: readonly Reservation[], nowMs: number): Promise<Admission[]>;
}

/** One admission in a limiter's log: when (ms since the epoch, in the limiter's own time) and which request. */
export interface LogEntry {
  readonly t: number;
  readonly r: string;
}

/** The limit to decide by, and the caller's clock: the limiter never goes back behind its newest entry. */
export interface LimiterTerms {
  readonly limit: RateLimit;
  readonly nowMs: number;
}

/**
 * The exact sliding log: at most `limit.max` admissions in any half-open window of `limit.windowMs`. `log` is oldest
 * first. Requests are decided in order; an id that is already logged is admitted again without a second entry, so a
 * repeated commit counts once. Pure: the caller stores the returned log, and only when something was admitted. Throws a
 * RangeError when the clock is no whole number of milliseconds.
 *
 * Why a log: of the usual limiters only this one keeps the promise for every window; calendar windows, two weighted
 * buckets and GCRA all let nearly twice the limit through around a boundary.
 */
export function admitAll(
  log: readonly LogEntry[],
  requestIds: readonly string[],
  { limit, nowMs }: LimiterTerms,
): { readonly log: LogEntry[]; readonly admissions: Admission[] } {
  if (!Number.isSafeInteger(nowMs)) throw new RangeError(`not a moment in milliseconds: ${nowMs}`);
  const now = Math.max(nowMs, log.at(-1)?.t ?? nowMs);
  const kept = log.filter((entry) => entry.t > now - limit.windowMs);
  const known = new Set(kept.map((entry) => entry.r));
  const untilFreedMs = (entry: LogEntry | undefined): number => (entry?.t ?? now) + limit.windowMs - now;
  const admissions = requestIds.map((r): Admission => {
    if (!known.has(r)) {
      // A log longer than `max` (the limit was lowered) must lose several entries before the next request fits.
      const waitMs = untilFreedMs(kept[kept.length - limit.max]);
      if (kept.length >= limit.max) return { admitted: false, waitMs };
      kept.push({ t: now, r });
      known.add(r);
    }
    return { admitted: true, remaining: Math.max(0, limit.max - kept.length), resetMs: untilFreedMs(kept[0]) };
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

/** The `Retry-After` of a denial: whole seconds, rounded up so that the retry is never early, 1 up to the window. */
export function retryAfterSeconds(waitMs: number, windowMs: number): number {
  return Math.min(Math.max(1, Math.ceil(waitMs / 1000)), Math.ceil(windowMs / 1000));
}
