import { closeSync, fdatasync, openSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { storeUnavailable } from '../../errors';
import { type OpenDatabase, type Transact, transactions } from './database';
import { asFault, isBusy, whenUnlocked } from './locking';

/** A queued operation and the promise that waits for it, until the commit or until that is on disk. */
interface Write {
  run(): void;
  readonly until: 'committed' | undefined;
  succeed(): void;
  fail(error: unknown): void;
}

const syncToDisk = promisify(fdatasync);

/**
 * The store's one connection. Reads run at once; writes queued in one turn of the event loop, or while another group is
 * being written, share a transaction and a sync. When one of them fails, all are rolled back and run again one by one, so
 * that only the failing one is rejected: an operation must have no effects outside the database. While another process
 * holds the write lock the queue grows and the event loop goes on.
 *
 * SQLite's own durable mode (`synchronous = FULL`) waits for the disk inside COMMIT, which stops the event loop. Here
 * the write-ahead log is synced on a worker thread, with the same guarantee (ADR 7).
 */
export class Connection {
  readonly #db: DatabaseSync;
  readonly #reading: Transact;
  readonly #committing: Transact;
  /** The log file, opened a second time for syncing only; SQLite keeps no locks on it that closing it could drop. */
  readonly #wal: number;
  #queued: Write[] = [];
  #writing: Promise<void> | undefined;
  /** The sync of what was committed last, while it is under way. */
  #syncing: Promise<void> | undefined;
  #closed: Promise<void> | undefined;
  #diskError: unknown;

  /** From here on nothing that uses `db` waits for a lock by itself: see `whenUnlocked`. */
  constructor({ db, walPath }: OpenDatabase) {
    this.#db = db;
    this.#reading = transactions(db, 'BEGIN');
    this.#committing = transactions(db, 'BEGIN IMMEDIATE');
    this.#wal = openSync(walPath, 'r+');
    db.exec('PRAGMA busy_timeout = 0');
  }

  /** Prepares a statement for all uses, to be executed within `read` or `write`. */
  readonly prepare = (sql: string): StatementSync => this.#db.prepare(sql);

  /** Reads of one state, whatever other processes write meanwhile. */
  read<T>(work: () => T): Promise<T> {
    // Readers are refused only for the moment in which another process repairs the log after a crash.
    return whenUnlocked(() => this.#reading(work)).catch((error: unknown) => {
      throw asFault(error);
    });
  }

  /**
   * Runs `work` in a transaction and resolves with its result once that is durable, or `committed`: once it outlives the
   * process. Rejects with what `work` threw (nothing was written then), or when the database stayed locked, the disk failed
   * or the store is closed.
   */
  write<T>(work: () => T, until?: 'committed'): Promise<T> {
    if (this.#closed) return Promise.reject(new Error('the store is closed'));
    return new Promise<T>((resolve, reject) => {
      let result: T;
      const run = () => {
        result = work();
      };
      this.#queued.push({ run, until, succeed: () => resolve(result), fail: (error) => reject(asFault(error)) });
      this.#writing ??= this.#writeQueued();
    });
  }

  /** Undefined when all that was committed is on disk; else resolves once it is, and rejects where the disk failed. */
  onDisk(): Promise<void> | undefined {
    return this.#diskError ? Promise.reject(this.#diskError) : this.#syncing;
  }

  /** Finishes what is queued, then releases the log and the database. */
  close(): Promise<void> {
    this.#closed ??= Promise.resolve(this.#writing).then(() => {
      closeSync(this.#wal);
      this.#db.close();
    });
    return this.#closed;
  }

  async #writeQueued(): Promise<void> {
    await nextTurn();
    for (let group = this.#queued; group.length > 0; group = this.#queued) {
      this.#queued = [];
      await this.#writeGroup(group);
    }
    this.#writing = undefined;
  }

  async #writeGroup(group: readonly Write[]): Promise<void> {
    try {
      await whenUnlocked(() => this.#commit(group));
      this.#syncing = this.#sync();
      for (const { until, succeed } of group) if (until === 'committed') succeed();
      await this.#syncing;
      for (const { succeed } of group) succeed();
    } catch (error) {
      if (group.length === 1 || isBusy(error) || this.#diskError) for (const { fail } of group) fail(error);
      else for (const write of group) await this.#writeGroup([write]);
    }
  }

  #commit(group: readonly Write[]): void {
    if (this.#diskError) throw this.#diskError;
    this.#committing(() => {
      for (const { run } of group) run();
    });
  }

  async #sync(): Promise<void> {
    try {
      await syncToDisk(this.#wal);
    } catch (error) {
      // The kernel may have dropped the pages: a later success would prove nothing, so nothing is written any more.
      this.#diskError = storeUnavailable(error);
      throw this.#diskError;
    } finally {
      this.#syncing = undefined;
    }
  }
}
