import type {
  AggregateField,
  DocumentReference,
  DocumentSnapshot,
  FieldValue,
  Firestore,
  Query,
  QueryDocumentSnapshot,
  Transaction,
} from '@google-cloud/firestore';
import { type Clock, sleep } from '../../lib/clock';
import type { Total } from '../documents';
import { isUndecided } from './rpc-error';

/** The client, and what is needed of the SDK it was made with. */
export interface Database {
  readonly db: Firestore;
  readonly FieldValue: typeof FieldValue;
  readonly AggregateField: typeof AggregateField;
}

/** Collects the writes of one commit. Synchronous. */
export type Writes = Pick<Transaction, 'create' | 'set' | 'update' | 'delete'>;

/** Documents as read, one for each reference. */
type Snapshots<R extends Refs> = { -readonly [Index in keyof R]: DocumentSnapshot };
type Refs = readonly DocumentReference[];

const SHORTEST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 80;
/** However slow the server is. */
const LONGEST_PAUSE_OF_ALL_MS = 400;

/** Access of one operation to the database. Every step is refused once the operation's deadline has passed. */
export class Session {
  readonly db: Firestore;
  readonly FieldValue: Database['FieldValue'];
  readonly #AggregateField: Database['AggregateField'];
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #roundTripMs = 0;
  #failure: unknown;

  constructor({ db, FieldValue, AggregateField }: Database, clock: Clock, signal: AbortSignal) {
    this.db = db;
    this.FieldValue = FieldValue;
    this.#AggregateField = AggregateField;
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Why the last try of `untilDecided` came to nothing. */
  get failure(): unknown {
    return this.#failure;
  }

  /** One round trip for all of them; none for no documents. */
  async read<const R extends Refs>(refs: R): Promise<Snapshots<R>> {
    this.#signal.throwIfAborted();
    return (refs.length === 0 ? [] : await this.#timed(() => this.db.getAll(...refs))) as Snapshots<R>;
  }

  async find(query: Query): Promise<QueryDocumentSnapshot[]> {
    this.#signal.throwIfAborted();
    return (await query.get()).docs;
  }

  /** Several reads of one state of the database: a read-only transaction, which takes no locks. */
  readTogether<T>(work: (reads: Pick<Transaction, 'getAll' | 'get'>) => Promise<T>): Promise<T> {
    this.#signal.throwIfAborted();
    return this.db.runTransaction(work, { readOnly: true });
  }

  /**
   * Reads, then writes, as one: what was read is still so when the writes are applied, queries included. Tried once. A
   * call that is under way is not ended by the deadline; what it would write is then still right.
   */
  transact<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    this.#signal.throwIfAborted();
    return this.db.runTransaction(work, { maxAttempts: 1 });
  }

  /** Number of documents that a query finds, and the sum of a field of theirs, made by the server. */
  async total(query: Query, field: string): Promise<Total> {
    this.#signal.throwIfAborted();
    const aggregates = { count: this.#AggregateField.count(), sum: this.#AggregateField.sum(field) };
    return (await query.aggregate(aggregates).get()).data();
  }

  /**
   * Commits all writes or none, in one call that is sent once. A transaction that reads nothing is a plain commit;
   * unlike `WriteBatch.commit`, which repeats itself for up to ten minutes after ambiguous errors, it can be told not
   * to. So what is repeated, and after what, is decided here alone (`untilDecided`).
   */
  async commit(write: (writes: Writes) => void): Promise<void> {
    this.#signal.throwIfAborted();
    await this.#timed(() =>
      this.db.runTransaction(
        (transaction) => {
          write(transaction);
          return Promise.resolve();
        },
        { maxAttempts: 1 },
      ),
    );
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

  async #timed<T>(call: () => Promise<T>): Promise<T> {
    const startedAtMs = this.#clock.monotonicMs();
    try {
      return await call();
    } finally {
      this.#roundTripMs = this.#clock.monotonicMs() - startedAtMs;
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
