import type {
  DocumentReference,
  DocumentSnapshot,
  FieldPath,
  FieldValue,
  Firestore,
  Query,
  QueryDocumentSnapshot,
  Transaction,
} from 'firebase-admin/firestore';
import { type Clock, sleep } from '../../lib/clock';
import { isUndecided } from './rpc-error';

/** The loaded SDK and the client made with it. */
export interface Database {
  readonly sdk: { readonly FieldValue: typeof FieldValue; readonly FieldPath: typeof FieldPath };
  readonly db: Firestore;
}

/** Collects the writes of one commit. Synchronous. */
export type Writes = Pick<Transaction, 'create' | 'set' | 'update' | 'delete'>;

/** Reads documents, in the order asked. */
export type Read = (refs: readonly DocumentReference[]) => Promise<DocumentSnapshot[]>;

const TRIES_MAX = 12;
const SHORTEST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 80;

/** What one operation may do to the database. Every step is refused once the operation's deadline has passed. */
export class Session {
  readonly db: Firestore;
  readonly sdk: Database['sdk'];
  readonly #clock: Clock;
  readonly #signal: AbortSignal;

  constructor({ db, sdk }: Database, clock: Clock, signal: AbortSignal) {
    this.db = db;
    this.sdk = sdk;
    this.#clock = clock;
    this.#signal = signal;
  }

  /** One round trip for all of them; none for no documents. */
  async read(refs: readonly DocumentReference[]): Promise<DocumentSnapshot[]> {
    this.#signal.throwIfAborted();
    return refs.length === 0 ? [] : this.db.getAll(...refs);
  }

  async find(query: Query): Promise<QueryDocumentSnapshot[]> {
    this.#signal.throwIfAborted();
    return (await query.get()).docs;
  }

  /** Several reads of one state of the database: a read-only transaction, which takes no locks. */
  readTogether<T>(work: (read: Read) => Promise<T>): Promise<T> {
    this.#signal.throwIfAborted();
    return this.db.runTransaction(
      (transaction) => work(async (refs) => (refs.length === 0 ? [] : transaction.getAll(...refs))),
      { readOnly: true },
    );
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
