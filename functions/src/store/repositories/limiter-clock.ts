import type { LogEntry, RateLimit } from '../../access/rate-limit';
import type { Clock } from '../../lib/clock';
import { Lru } from '../../lib/lru';
import type { Snapshot } from '../documents';

/** A limiter's log of a user at `rateLimits/{uid}__{limit}`. */
export interface StoredLog {
  readonly log?: readonly LogEntry[];
  readonly expireAt?: number;
}

/** A log, oldest first, in the time that the limiter goes by, and the limit and moment to decide by. */
export interface TimedLog {
  readonly entries: readonly LogEntry[];
  readonly limit: RateLimit;
  readonly nowMs: number;
  /** Entries lie elsewhere than stored, and are to be stored so even where nothing is let in. */
  readonly isMoved?: boolean;
}

/** The time that a limiter goes by. */
export interface LimiterClock {
  read(stored: Snapshot<StoredLog>, limit: RateLimit, nowMs: number): TimedLog;
  /** Notes requests that were let in. */
  note?(requestIds: readonly string[]): void;
}

/**
 * The database's own time, one for all processes. An entry counts from the commit that admitted it, but that moment is not
 * known when it is written. So the newest batch (one commit, one stamp) carries a stand-in, and the next reader of the log
 * puts the document's update time in its place: exactly that commit's time. "Now" is when the log was read, which lies
 * before the commit that is being decided on. Thus 31 admissions always span more than the window. Both times are cut to
 * whole milliseconds, hence a window one longer.
 */
export const databasesClock: LimiterClock = {
  read: ({ fields, serverTime }, limit, nowMs) => {
    const log = fields?.log ?? [];
    if (!serverTime) return { entries: log, limit, nowMs };
    const { readMs, writtenMs } = serverTime;
    const standIn = log.at(-1)?.t;
    const entries =
      writtenMs === undefined ? log : log.map((entry) => (entry.t === standIn ? { ...entry, t: writtenMs } : entry));
    return { entries, limit: { ...limit, windowMs: limit.windowMs + 1 }, nowMs: readMs };
  },
};

/** Requests whose age is known at most: those of a minute, at 50 a second. */
const AGES_MAX = 3_000;
/** A clock that lost less was not set back. */
const SET_BACK_MS = 1_000;

/** This machine's time, in which what this process let in before the clock was set back lies by the new time. */
export function machinesClock(clock: Clock): LimiterClock {
  /** Times by the monotonic clock. */
  const letInMs = new Lru<string, number>(AGES_MAX);
  return {
    read: ({ fields }, limit, nowMs) => {
      const monotonicMs = clock.monotonicMs();
      const timeOf = ({ t, r }: LogEntry): number => {
        const ageMs = monotonicMs - (letInMs.get(r) ?? Number.POSITIVE_INFINITY);
        return ageMs > nowMs - t + SET_BACK_MS ? nowMs - ageMs : t;
      };
      const log = fields?.log ?? [];
      const isInPlace = log.every((entry, at) => timeOf(entry) === entry.t && entry.t >= (log[at - 1]?.t ?? 0));
      if (isInPlace) return { entries: log, limit, nowMs };
      const entries = log.map((entry) => ({ ...entry, t: timeOf(entry) })).sort((a, b) => a.t - b.t);
      return { entries, limit, nowMs, isMoved: entries.some(({ t }, index) => t !== log[index]?.t) };
    },
    note: (requestIds) => {
      for (const id of requestIds) letInMs.set(id, clock.monotonicMs());
    },
  };
}
