import { Fault } from '../../errors';
import type { Clock } from '../../lib/clock';
import { type Operation, withinDeadline } from './deadline';
import { rpcCodeOf } from './rpc-error';
import { type Database, Session } from './session';

/** Which database to use and how. */
export interface ClientOptions {
  readonly projectId: string;
  /** HTTP/1.1 instead of gRPC. */
  readonly preferRest: boolean;
  readonly clock: Clock;
}

/** The way to the database. */
export interface FirestoreClient {
  /**
   * Runs one operation. Rejects with a Fault `internal` at its deadline and for every error of Firestore's; errors of
   * our own pass as they are. Refused once closed.
   */
  run<T>(operation: Operation, work: (session: Session) => Promise<T>): Promise<T>;
  /** Waits for what is under way and disconnects. */
  close(): Promise<void>;
}

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

/** The default, said aloud: to find it out the SDK would look for credentials, and there are none beside an emulator. */
const AUTH_SETTINGS = { universeDomain: 'googleapis.com' };

/** A client that loads the SDK with its first operation: about 0.1 s that nobody pays who does not use Firestore. */
export function createClient({ projectId, preferRest, clock }: ClientOptions): FirestoreClient {
  /** Operations somebody waits for. */
  const awaited = new Set<Promise<unknown>>();
  /** Their work, which may go on for a while after a deadline. */
  const working = new Set<Promise<unknown>>();
  let database: Promise<Database> | undefined;
  let closing: Promise<void> | undefined;

  return {
    run: (operation, work) => {
      if (closing) return Promise.reject(new Error('the store is closed'));
      return tracked(awaited, perform(operation, work));
    },
    close: () => {
      closing ??= disconnect();
      return closing;
    },
  };

  async function perform<T>(operation: Operation, work: (session: Session) => Promise<T>): Promise<T> {
    database ??= load();
    const loaded = await database;
    const start = (signal: AbortSignal) => tracked(working, work(new Session(loaded, clock, signal)));
    // The clock's timers keep no process alive; without this one a command would end in a pause between two tries.
    const alive = setInterval(() => {}, 60_000);
    try {
      return await withinDeadline(clock, operation, start);
    } catch (error) {
      throw rpcCodeOf(error) === undefined ? error : new Fault('internal', undefined, { cause: error });
    } finally {
      clearInterval(alive);
    }
  }

  async function load(): Promise<Database> {
    const sdk = await import('firebase-admin/firestore');
    const db = new sdk.Firestore({
      projectId,
      preferRest,
      ignoreUndefinedProperties: false,
      clientConfig: CALL_SETTINGS,
      clientOptions: AUTH_SETTINGS,
      // With the older way every failed read, also one refused for good, is tried twice more over several seconds.
      gaxServerStreamingRetries: true,
    });
    return { sdk, db };
  }

  async function disconnect(): Promise<void> {
    await Promise.allSettled(awaited);
    if (!database) return;
    const { db } = await database;
    const idle = working.size === 0;
    // Not before the SDK has given up what we gave up: a read that it repeats on a closed client ends the process.
    const disconnected = Promise.allSettled(working).then(() => db.terminate());
    // A client that never found its credentials rejects here once more.
    const settled = disconnected.catch(() => {});
    if (idle) await settled;
  }
}

function tracked<T>(running: Set<Promise<unknown>>, work: Promise<T>): Promise<T> {
  running.add(work);
  const done = (): void => {
    running.delete(work);
  };
  work.then(done, done);
  return work;
}
