import type {
  DocumentReference,
  DocumentSnapshot,
  FieldValue,
  Firestore,
  Query,
  QueryDocumentSnapshot,
  Transaction,
} from 'firebase-admin/firestore';
import { type Clock, sleep } from '../../lib/clock';
import { isUndecided } from './rpc-error';

/** The client, and what is needed of the SDK it was made with. */
export interface Database {
  readonly db: Firestore;
  readonly FieldValue: typeof FieldValue;
}

/** Collects the writes of one commit. Synchronous. */
export type Writes = Pick<Transaction, 'create' | 'set' | 'update' | 'delete'>;

/** Documents as read, one for each reference. */
type Snapshots<R extends Refs> = { -readonly [Index in keyof R]: DocumentSnapshot };
type Refs = readonly DocumentReference[];

const TRIES_MAX = 12;
const SHORTEST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 80;

/** What one operation may do to the database. Every step is refused once the operation's deadline has passed. */
export class Session {
  readonly db: Firestore;
  readonly FieldValue: Database['FieldValue'];
  readonly #clock: Clock;
  readonly #signal: AbortSignal;

  constructor({ db, FieldValue }: Database, clock: Clock, signal: AbortSignal) {
    this.db = db;
    this.FieldValue = FieldValue;
    this.#clock = clock;
    this.#signal = signal;
  }

  /** One round trip for all of them; none for no documents. */
  async read<const R extends Refs>(refs: R): Promise<Snapshots<R>> {
    this.#signal.throwIfAborted();
    return (refs.length === 0 ? [] : await this.db.getAll(...refs)) as Snapshots<R>;
  }

  async find(query: Query): Promise<QueryDocumentSnapshot[]> {
    this.#signal.throwIfAborted();
    return (await query.get()).docs;
  }

  /**
   * Commits all writes or none, in one call that is sent once. A transaction that reads nothing is a plain commit;
   * unlike `WriteBatch.commit`, which repeats itself for up to ten minutes after ambiguous errors, it can be told not
   * to. So what is repeated, and after what, is decided here alone (`untilDecided`).
   */
  async commit(write: (writes: Writes) => void): Promise<void> {
    this.#signal.throwIfAborted();
    await this.db.runTransaction(
      (transaction) => {
        write(transaction);
        return Promise.resolve();
      },
      { maxAttempts: 1 },
    );
  }

  /**
   * Repeats `attempt` (read, decide, commit) while its outcome is undecided, up to 12 times with growing, jittered
   * pauses. Every attempt must find out by reading whether an earlier one was applied after all.
   */
  async untilDecided<T>(attempt: (tries: number) => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await attempt(tries);
      } catch (error) {
        if (!isUndecided(error) || tries + 1 >= TRIES_MAX) throw error;
      }
      await this.#pause(tries);
    }
  }

  /** Random, or processes that collided once would collide again. */
  #pause(tries: number): Promise<void> {
    const longestMs = Math.min(LONGEST_PAUSE_MS, 2 ** tries * 2 * SHORTEST_PAUSE_MS);
    const fraction = (this.#clock.randomBytes(1)[0] ?? 0) / 256;
    return sleep(this.#clock, SHORTEST_PAUSE_MS + fraction * (longestMs - SHORTEST_PAUSE_MS), this.#signal);
  }
}
