import type { AggregateField, FieldValue, Firestore, Transaction } from '@google-cloud/firestore';
import { type Clock, sleep } from '../../lib/clock';
import { isUndecided } from './rpc-error';

/** The client, and what is needed of the SDK it was made with. */
export interface Database {
  readonly db: Firestore;
  readonly FieldValue: typeof FieldValue;
  readonly AggregateField: typeof AggregateField;
}

/** Collects the writes of one commit. Synchronous. */
export type Writes = Pick<Transaction, 'create' | 'set' | 'update' | 'delete'>;

const SHORTEST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 80;
/** However slow the server is. */
const LONGEST_PAUSE_OF_ALL_MS = 400;

/** Access of one operation to the database. */
export class Session {
  readonly database: Database;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #roundTripMs = 0;
  #failure: unknown;

  constructor(database: Database, clock: Clock, signal: AbortSignal) {
    this.database = database;
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Why the last try of `untilDecided` came to nothing. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Calls the server. Refused once the operation's deadline has passed; a call that is under way then goes on. */
  async call<T>(call: (database: Database) => Promise<T>): Promise<T> {
    this.#signal.throwIfAborted();
    const startedAtMs = this.#clock.monotonicMs();
    try {
      return await call(this.database);
    } finally {
      this.#roundTripMs = this.#clock.monotonicMs() - startedAtMs;
    }
  }

  /**
   * Repeats `attempt` (read, decide, commit) while its outcome is undecided, with jittered pauses, until the operation's
   * deadline: every step is refused from then on. Every attempt must find out by reading whether an earlier one was
   * applied after all.
   */
  async untilDecided<T>(attempt: (tries: number) => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await attempt(tries);
      } catch (error) {
        if (!isUndecided(error)) throw error;
        this.#failure = error;
      }
      await this.#pause(tries);
    }
  }

  /**
   * Random, or processes that collided once would collide again. It grows up to two round trips: a try takes two, of
   * which one lies between what it has read and its commit. So however many processes want the same document, and
   * however far it is, their tries are spread, and hardly a round trip passes without one of them succeeding.
   */
  #pause(tries: number): Promise<void> {
    const farthestMs = Math.min(LONGEST_PAUSE_OF_ALL_MS, Math.max(LONGEST_PAUSE_MS, 2 * this.#roundTripMs));
    const longestMs = Math.min(2 ** tries * 2 * SHORTEST_PAUSE_MS, farthestMs);
    const fraction = (this.#clock.randomBytes(1)[0] ?? 0) / 256;
    return sleep(this.#clock, SHORTEST_PAUSE_MS + fraction * (longestMs - SHORTEST_PAUSE_MS), this.#signal);
  }
}
