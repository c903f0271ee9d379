import { closeSync, fdatasync, openSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { isBusy, type OpenDatabase } from './database';

/** One queued operation and the promise that waits for it. */
interface Job {
  run(): void;
  succeed(): void;
  fail(error: unknown): void;
}

/**
 * Commits writes in groups and acknowledges them when they are on disk.
 *
 * Operations queued in one turn of the event loop share a transaction; when one of them fails, all are rolled back and
 * each runs again alone, so that only the failing one is rejected. An operation must therefore have no effects outside
 * the database.
 *
 * SQLite's own durable mode (`synchronous = FULL`) waits for the disk inside COMMIT, which stops the event loop and
 * holds the write lock meanwhile. Here the commit returns at once and the write-ahead log is synced on a worker
 * thread; one sync serves every commit made before it started. The guarantee is the same: an acknowledged write
 * survives a power failure.
 */
export class CommitQueue {
  readonly #db: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #rollback: StatementSync;
  /** Our own handle on the log file, for syncing only; SQLite keeps no locks on that file that closing it could drop. */
  readonly #wal: number;
  #queued: Job[] = [];
  #committed: Job[] = [];
  #syncing = false;
  #diskError: Error | null = null;
  #closed: Promise<void> | undefined;
  #drained: (() => void) | undefined;

  constructor({ db, walPath }: OpenDatabase) {
    this.#db = db;
    this.#begin = db.prepare('BEGIN IMMEDIATE');
    this.#commit = db.prepare('COMMIT');
    this.#rollback = db.prepare('ROLLBACK');
    this.#wal = openSync(walPath, 'r+');
  }

  /**
   * Runs `work` in a transaction and resolves with its result once that is durable. Rejects with what `work` threw
   * (nothing was written then), or when the database stayed locked, the disk failed or the store is closed.
   */
  write<T>(work: () => T): Promise<T> {
    if (this.#closed) return Promise.reject(new Error('the store is closed'));
    return new Promise<T>((resolve, reject) => {
      let result: T;
      const run = () => {
        result = work();
      };
      if (this.#queued.length === 0) setImmediate(() => this.#flush());
      this.#queued.push({ run, succeed: () => resolve(result), fail: reject });
    });
  }

  /** Finishes what is queued, then releases the log and the database. */
  close(): Promise<void> {
    this.#closed ??= this.#finish();
    return this.#closed;
  }

  async #finish(): Promise<void> {
    this.#flush();
    await new Promise<void>((resolve) => {
      this.#drained = resolve;
      this.#sync();
    });
    closeSync(this.#wal);
    this.#db.close();
  }

  #flush(): void {
    const jobs = this.#queued;
    if (jobs.length === 0) return;
    this.#queued = [];
    try {
      this.#transact(jobs);
    } catch (error) {
      if (jobs.length === 1 || isBusy(error)) failAll(jobs, error);
      else for (const job of jobs) this.#alone(job);
    }
    this.#sync();
  }

  #transact(jobs: readonly Job[]): void {
    if (this.#diskError) throw this.#diskError;
    this.#begin.run();
    try {
      for (const job of jobs) job.run();
      this.#commit.run();
    } catch (error) {
      if (this.#db.isTransaction) this.#rollback.run();
      throw error;
    }
    this.#committed.push(...jobs);
  }

  #alone(job: Job): void {
    try {
      this.#transact([job]);
    } catch (error) {
      job.fail(error);
    }
  }

  /** Acknowledges what is committed, as soon as the sync under way (which began too early for it) has ended. */
  #sync(): void {
    if (this.#syncing) return;
    const jobs = this.#committed;
    if (jobs.length === 0) {
      this.#drained?.();
      return;
    }
    this.#committed = [];
    this.#syncing = true;
    fdatasync(this.#wal, (error) => {
      this.#syncing = false;
      // After a failed sync the kernel may have dropped the pages: a later success would prove nothing.
      this.#diskError ??= error;
      if (this.#diskError) failAll(jobs, this.#diskError);
      else for (const job of jobs) job.succeed();
      this.#sync();
    });
  }
}

function failAll(jobs: readonly Job[], error: unknown): void {
  for (const job of jobs) job.fail(error);
}
