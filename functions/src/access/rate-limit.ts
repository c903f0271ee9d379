import type { Reservation } from '../ledger/ledger-store';
import { CLOCKS_DIFFER_MS } from '../lib/clock';
import { type Budgets, type Spend, Tally, type UsedUp } from './budget';

/** One user's limit: at most `max` admissions in any `windowMs`. */
export interface RateLimit {
  /** Name of the limit: each of a user's limits has a log of its own. */
  readonly name: 'api' | 'byok' | 'files';
  readonly max: number;
  readonly windowMs: number;
}

/** Limit of a user on `/v1` (`docs/api.md`, Limits) unless `RATE_LIMIT_RPM` sets another. */
export const API_LIMIT: RateLimit = { name: 'api', max: 30, windowMs: 60_000 };

/** The most that `RATE_LIMIT_RPM` may be: the log of a user is read and written whole with each request. */
export const REQUESTS_PER_MINUTE_MAX = 1_000;

/** A reservation, and what bounds its key and its user besides the limit. What is absent does not. */
export interface AdmissionRequest extends Reservation {
  /** Requests of its key in any window, each of which takes a slot of its user as well. */
  readonly keyMax?: number;
  readonly budgets?: Budgets;
}

/** `resetMs`: until the oldest slot frees; `waitMs`: until a lone retry succeeds; `ofKey`: other keys may be let in. */
export type Admission =
  | { readonly admitted: true; readonly remaining: number; readonly resetMs: number }
  | { readonly admitted: false; readonly waitMs: number; readonly ofKey?: true }
  | { readonly admitted: false; readonly usedUp: UsedUp };

export interface AdmissionStore {
  /** Decides on the requests of one user, in order and in one commit; those let in are logged and their records opened. */
  admit(limit: RateLimit, requests: readonly AdmissionRequest[], nowMs: number): Promise<Admission[]>;
}

/** One admission in a limiter's log: when (ms since the epoch, in the limiter's own time) and which request. */
export interface LogEntry {
  readonly t: number;
  readonly r: string;
  readonly k?: string;
}

/** The limit to decide by, and the caller's clock: the limiter never goes back behind its newest entry. */
export interface LimiterTerms {
  readonly limit: RateLimit;
  readonly nowMs: number;
  /** Spending of the user, by month; needed where a request has a budget. */
  readonly spends?: ReadonlyMap<string, Spend>;
}

type Asking = Pick<
  AdmissionRequest,
  'requestId' | 'keyId' | 'originId' | 'month' | 'keyMax' | 'budgets' | 'estimateNanoUsd'
>;

/** The exact sliding log: at most `limit.max` admissions in any half-open window of `limit.windowMs`. */
export function admitAll(
  log: readonly LogEntry[],
  requests: readonly Asking[],
  { limit, nowMs, spends = new Map() }: LimiterTerms,
): { readonly log: LogEntry[]; readonly admissions: Admission[] } {
  if (!Number.isSafeInteger(nowMs)) throw new RangeError(`not a moment in milliseconds: ${nowMs}`);
  const now = Math.max(nowMs, log.at(-1)?.t ?? nowMs);
  const kept = log.filter((entry) => entry.t > now - limit.windowMs);
  const known = new Set(kept.map((entry) => entry.r));
  const tally = new Tally(spends);
  const untilFreedMs = (entry: LogEntry | undefined): number => (entry?.t ?? now) + limit.windowMs - now;
  // A log longer than `max` (the limit was lowered) must lose several entries before the next request fits.
  const waitMs = (entries: readonly LogEntry[], max: number): number =>
    entries.length < max ? 0 : untilFreedMs(entries[entries.length - max]);

  const denialOf = (request: Asking): Admission | undefined => {
    const userMs = waitMs(kept, limit.max);
    if (userMs > 0) return { admitted: false, waitMs: userMs };
    const { keyMax } = request;
    const keyMs = keyMax === undefined ? 0 : waitMs(ofKey(kept, request), keyMax);
    if (keyMs > 0) return { admitted: false, waitMs: keyMs, ofKey: true };
    const usedUp = tally.usedUp(request);
    return usedUp && { admitted: false, usedUp };
  };

  const admissions = requests.map((request): Admission => {
    const { requestId: r, keyId, keyMax } = request;
    if (!known.has(r)) {
      const denial = denialOf(request);
      if (denial) return denial;
      kept.push({ t: now, r, ...(keyMax !== undefined && { k: keyId }) });
      known.add(r);
      tally.setAside(request);
    }
    const places = [{ entries: kept as readonly LogEntry[], max: limit.max }];
    if (keyMax !== undefined) places.push({ entries: ofKey(kept, request), max: keyMax });
    const left = places.map(({ entries, max }) => ({
      remaining: Math.max(0, max - entries.length),
      first: entries[0],
    }));
    const { remaining, first } = left.reduce((least, place) => (place.remaining < least.remaining ? place : least));
    return { admitted: true, remaining, resetMs: untilFreedMs(first) };
  });
  return { log: kept, admissions };
}

/** The log where the clock was set back: entries further ahead than clocks differ count as now, to be stored also with a denial. */
export function withoutFuture<E extends LogEntry>(log: readonly E[], nowMs: number): readonly E[] {
  const isSetBack = (log.at(-1)?.t ?? nowMs) > nowMs + CLOCKS_DIFFER_MS;
  return isSetBack ? log.map((entry) => ({ ...entry, t: Math.min(entry.t, nowMs) })) : log;
}

function ofKey(log: readonly LogEntry[], { keyId }: Asking): LogEntry[] {
  return log.filter(({ k }) => k === keyId);
}

/** Owner of these requests; undefined for none. Throws when they are not all of one user. */
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
