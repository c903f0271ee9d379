import type { DocumentSnapshot, Timestamp } from 'firebase-admin/firestore';
import type { LogEntry } from '../../guard/rate-limit';
import type { Clock } from '../../lib/clock';
import { Lru } from '../../lib/lru';

/** A limiter's log as it was read; without `updateTime` there was none. */
export interface RateLog {
  readonly entries: readonly LogEntry[];
  readonly updateTime: Timestamp | undefined;
  /** When the server read it, by its own clock. */
  readonly readTime: Timestamp;
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
    this.#logs.delete(id);
    return found && Math.abs(this.#clock.nowMs() - found.readAtMs) <= FRESH_MS ? found.log : undefined;
  }

  /** For a document that was just written: what was read before is of no use. */
  forget(id: string): void {
    this.#logs.delete(id);
  }
}

/** The log of a `rateLimits` document, empty when there is none. */
export function rateLogOf(snapshot: DocumentSnapshot): RateLog {
  const entries = (snapshot.get('log') ?? []) as LogEntry[];
  return { entries, updateTime: snapshot.updateTime, readTime: snapshot.readTime };
}
