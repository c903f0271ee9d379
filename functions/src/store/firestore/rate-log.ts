import type { DocumentReference, DocumentSnapshot, Timestamp } from '@google-cloud/firestore';
import type { LimiterTerms, LogEntry, RateLimit } from '../../access/rate-limit';
import type { Clock } from '../../lib/clock';
import { Lru } from '../../lib/lru';

/** A limiter's log as it was read; without `updateTime` there was none. */
export interface RateLog {
  readonly ref: DocumentReference;
  readonly entries: readonly LogEntry[];
  readonly updateTime: Timestamp | undefined;
  /** When the server read it, by its own clock. */
  readonly readTime: Timestamp;
}

/** The log of a `rateLimits` document, empty when there is none. */
export function rateLogOf(snapshot: DocumentSnapshot): RateLog {
  const { ref, updateTime, readTime } = snapshot;
  return { ref, entries: snapshot.get('log') ?? [], updateTime, readTime };
}

/**
 * A log in Firestore's own time. An entry counts from the commit that admitted it, but that moment is not known when it
 * is written. So the newest batch (one commit, one stamp) carries a stand-in, and the next reader of the log puts the
 * document's update time in its place: exactly that commit's time. "Now" is when the log was read, which lies before
 * the commit that is being decided on. Thus 31 admissions always span more than the window. Both times are cut to
 * whole milliseconds, hence a window one longer.
 */
export function onServerTime(
  { entries, updateTime, readTime }: Omit<RateLog, 'ref'>,
  limit: RateLimit,
): { readonly entries: readonly LogEntry[]; readonly terms: LimiterTerms } {
  const standIn = entries.at(-1)?.t;
  const stamped = updateTime
    ? entries.map((entry) => (entry.t === standIn ? { ...entry, t: wholeMs(updateTime) } : entry))
    : entries;
  return { entries: stamped, terms: { limit: { ...limit, windowMs: limit.windowMs + 1 }, nowMs: wholeMs(readTime) } };
}

/** From the look-up of a key to the admission of the same request, with the validation between them. */
const FRESH_MS = 5_000;
const LOGS_MAX = 1_000;

/**
 * Logs that were read together with a key's owner, kept for the moment until that request asks to be admitted: it can
 * then be committed without another read. A log that has changed since costs a failed precondition and a read, no more.
 */
export class RecentLogs {
  readonly #logs = new Lru<string, { log: RateLog; readAtMs: number }>(LOGS_MAX);
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Remembers a snapshot of a `rateLimits` document. */
  put(snapshot: DocumentSnapshot): void {
    this.#logs.set(snapshot.id, { log: rateLogOf(snapshot), readAtMs: this.#clock.nowMs() });
  }

  /** The log of a document, once. */
  take(id: string): RateLog | undefined {
    const found = this.#logs.get(id);
    this.forget(id);
    return found && Math.abs(this.#clock.nowMs() - found.readAtMs) <= FRESH_MS ? found.log : undefined;
  }

  /** For a document that was just written: what was read before is of no use. */
  forget(id: string): void {
    this.#logs.delete(id);
  }
}

function wholeMs({ seconds, nanoseconds }: Timestamp): number {
  return seconds * 1000 + Math.floor(nanoseconds / 1_000_000);
}
