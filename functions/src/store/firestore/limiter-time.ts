import type { Timestamp } from 'firebase-admin/firestore';
import type { LimiterTerms, LogEntry } from '../../guard/rate-limit';
import type { RateLimit } from '../store';
import type { RateLog } from './recent-logs';

/**
 * Whose time the limiter goes by. `server`: that of Firestore, one for all processes, whatever their own clocks say.
 * `caller`: the moment each admission is asked with, for tests that bring their own time.
 */
export type LimiterTime = 'server' | 'caller';

/** What the limiter decides by. */
export interface LimiterInput {
  readonly entries: readonly LogEntry[];
  readonly terms: LimiterTerms;
}

/**
 * A log in Firestore's own time. An entry counts from the commit that admitted it, but nobody knows that moment when he
 * writes it. So the newest batch (one commit, one stamp) carries a stand-in, and whoever reads the log next puts the
 * document's update time in its place: exactly that commit's time. "Now" is when the log was read, which lies before
 * the commit that is being decided on. Thus 31 admissions always span more than the window. Both times are cut to
 * whole milliseconds, hence a window one longer.
 */
export function onServerTime({ entries, updateTime, readTime }: RateLog, limit: RateLimit): LimiterInput {
  const standIn = entries.at(-1)?.t;
  const stamped = updateTime
    ? entries.map((entry) => (entry.t === standIn ? { ...entry, t: wholeMs(updateTime) } : entry))
    : entries;
  return { entries: stamped, terms: { limit: { ...limit, windowMs: limit.windowMs + 1 }, nowMs: wholeMs(readTime) } };
}

function wholeMs({ seconds, nanoseconds }: Timestamp): number {
  return seconds * 1000 + Math.floor(nanoseconds / 1_000_000);
}
