import type { AggregateField, FieldValue, Firestore, Transaction } from '@google-cloud/firestore';
import { Fault, storeUnavailable } from '../../errors';
import { type Clock, sleep } from '../../lib/clock';
import { isIndexMissing, isUnavailable, isUndecided, rpcCodeOf } from './rpc-error';

/** The SDK's client, and what is needed of the SDK it was made with. */
export interface Database {
  readonly db: Firestore;
  readonly FieldValue: typeof FieldValue;
  readonly AggregateField: typeof AggregateField;
}

/** Collects the writes of one commit. Synchronous. */
export type Writes = Pick<Transaction, 'create' | 'set' | 'update' | 'delete'>;

/** Access of one operation to the database. */
export interface Session {
  readonly database: Database;
  /** Calls the server. Refused once the operation's deadline has passed; a call that is under way then goes on. */
  call<T>(call: (database: Database) => Promise<T>): Promise<T>;
  /**
   * Repeats `attempt` (read, decide, commit) while its outcome is undecided, until the operation's deadline. Every attempt
   * must find out by reading whether an earlier one was applied after all.
   */
  untilDecided<T>(attempt: (tries: number) => Promise<T>): Promise<T>;
}

/** The way to the database. */
export interface FirestoreClient {
  /**
   * Runs one operation. Rejects with a Fault `store_unavailable` when it has not ended within its budget, whatever it waits
   * for, and where Firestore is out of reach; with `index_missing` or `internal` for its other errors. Errors of our own
   * pass as they are. Refused once closed.
   */
  run<T>(name: string, work: (session: Session) => Promise<T>, budgetMs?: number): Promise<T>;
  /** Waits for what is under way and disconnects. */
  close(): Promise<void>;
}

const BUDGET_MS = 5_000;
const SHORTEST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 200;

/**
 * Per call, below what an operation may take in all: a call that got lost leaves time to find out and try again, and
 * none is still being applied long after its request was given up. The SDK's own figures are 60 s, and 600 s in all.
 * Reads are repeated by the SDK itself, commits are not.
 */
const CALL_SETTINGS = {
  interfaces: {
    'google.firestore.v1.Firestore': {
      retry_codes: { none: [] },
      methods: {
        BatchGetDocuments: { timeout_millis: 2_000, retry_codes_name: 'none' },
        RunQuery: { timeout_millis: 4_000, retry_codes_name: 'none' },
        Commit: { timeout_millis: 2_500, retry_codes_name: 'none' },
      },
    },
  },
};

/** A client that loads the SDK with its first operation: about 0.1 s, spent only where Firestore is used. */
export function createClient(projectId: string, clock: Clock): FirestoreClient {
  /** Operations, and their work, which may go on for a while after a deadline. */
  const working = new Set<Promise<unknown>>();
  let database: Promise<Database> | undefined;
  let closing: Promise<void> | undefined;

  return {
    run: (name, work, budgetMs = BUDGET_MS) => {
      if (closing) return Promise.reject(new Error('the store is closed'));
      return tracked(perform(name, work, budgetMs));
    },
    close: () => {
      closing ??= disconnect();
      return closing;
    },
  };

  async function perform<T>(name: string, work: (session: Session) => Promise<T>, budgetMs: number): Promise<T> {
    database ??= loadFirestore(projectId);
    const opened = await database;
    const deadline = new AbortController();
    let failure: unknown;
    const session = sessionOf(opened, { clock, signal: deadline.signal }, (error) => {
      failure = error;
    });
    const tooLate = Promise.withResolvers<never>();
    const cancel = clock.after(budgetMs, () => {
      const cause = new Error(`Firestore: ${name} took longer than ${budgetMs} ms`, { cause: failure });
      const fault = storeUnavailable(cause);
      deadline.abort(fault);
      tooLate.reject(fault);
    });
    // The clock's timers keep no process alive; without this one a command would end in a pause between two tries.
    const alive = setInterval(() => {}, 60_000);
    try {
      return await Promise.race([tracked(work(session)), tooLate.promise]);
    } catch (error) {
      if (rpcCodeOf(error) === undefined) throw error;
      if (isUnavailable(error)) throw storeUnavailable(error);
      throw new Fault(isIndexMissing(error) ? 'index_missing' : 'internal', undefined, { cause: error });
    } finally {
      cancel();
      clearInterval(alive);
    }
  }

  function tracked<T>(work: Promise<T>): Promise<T> {
    const done = (): void => {
      working.delete(work);
    };
    working.add(work);
    work.then(done, done);
    return work;
  }

  async function disconnect(): Promise<void> {
    // Not before the SDK has given up what we gave up: a read that it repeats on a closed client ends the process.
    while (working.size > 0) await Promise.allSettled(working);
    // A client that never found its credentials rejects here once more.
    await database?.then(({ db }) => db.terminate()).catch(() => {});
  }
}

function sessionOf(
  database: Database,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  failed: (error: unknown) => void,
): Session {
  return {
    database,
    call: async (call) => {
      signal.throwIfAborted();
      return call(database);
    },
    untilDecided: async (attempt) => {
      for (let tries = 0; ; tries += 1) {
        try {
          return await attempt(tries);
        } catch (error) {
          if (!isUndecided(error)) throw error;
          failed(error);
        }
        // Random, or processes that collided once would collide again.
        const longestMs = Math.min(2 ** (tries + 1) * SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS);
        const fraction = (clock.randomBytes(1)[0] ?? 0) / 256;
        await sleep(clock, SHORTEST_PAUSE_MS + fraction * (longestMs - SHORTEST_PAUSE_MS), signal);
      }
    },
  };
}

async function loadFirestore(projectId: string): Promise<Database> {
  // Not `import()`: to find the names of so large a file in CommonJS, Node reads all of it twice more, 50 ms.
  const {
    AggregateField,
    FieldValue,
    Firestore,
  }: typeof import('@google-cloud/firestore') = require('@google-cloud/firestore');
  const db = new Firestore({
    projectId,
    clientConfig: CALL_SETTINGS,
    // The default, given explicitly: to find it out the SDK would look for credentials, and an emulator has none.
    clientOptions: { universeDomain: 'googleapis.com' },
    // With the older way every failed read, also one refused for good, is tried twice more over several seconds.
    gaxServerStreamingRetries: true,
  });
  return { db, FieldValue, AggregateField };
}
