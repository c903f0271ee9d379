import { closeSync, fdatasync, openSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { OpenDatabase } from './database';
import { isBusy, whenUnlocked } from './locking';

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
 * run again, each in a savepoint of its own, so that only the failing one is rejected. An operation must therefore have
 * no effects outside the database. While another process holds the write lock the queue grows and the event loop goes
 * on.
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
  readonly #savepoint: StatementSync;
  readonly #release: StatementSync;
  readonly #undo: StatementSync;
  /** Our own handle on the log file, for syncing only; SQLite keeps no locks on that file that closing it could drop. */
  readonly #wal: number;
  #queued: Job[] = [];
  #committed: Job[] = [];
  /** Some process has the lock; a retry is under way. */
  #waiting = false;
  /** One of the queued jobs has spoilt a transaction. */
  #careful = false;
  #syncing = false;
  #diskError: Error | null = null;
  #closed: Promise<void> | undefined;
  #drained: (() => void) | undefined;

  /** From here on nothing that uses `db` waits for a lock by itself: see `whenUnlocked`. */
  constructor({ db, walPath }: OpenDatabase) {
    this.#db = db;
    this.#begin = db.prepare('BEGIN IMMEDIATE');
    this.#commit = db.prepare('COMMIT');
    this.#rollback = db.prepare('ROLLBACK');
    this.#savepoint = db.prepare('SAVEPOINT job');
    this.#release = db.prepare('RELEASE job');
    this.#undo = db.prepare('ROLLBACK TO job');
    this.#wal = openSync(walPath, 'r+');
    db.exec('PRAGMA busy_timeout = 0');
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
    // One that waits for the lock will take along what has been queued meanwhile.
    if (this.#waiting || this.#queued.length === 0) return;
    try {
      this.#transact();
    } catch (error) {
      this.#refused(error);
    }
    this.#sync();
  }

  /** The transaction could not even begin: tries again while another process has the lock. */
  #refused(error: unknown): void {
    if (!isBusy(error)) {
      failAll(this.#take(), error);
      return;
    }
    this.#waiting = true;
    whenUnlocked(() => this.#transact())
      .catch((reason) => failAll(this.#take(), reason))
      .finally(() => {
        this.#waiting = false;
        this.#sync();
      });
  }

  /** Commits all that is queued. Throws when the transaction cannot begin; the queue is untouched then. */
  #transact(): void {
    if (this.#diskError) throw this.#diskError;
    this.#begin.run();
    const careful = this.#careful;
    this.#careful = false;
    const jobs = this.#take();
    try {
      const done = careful ? jobs.filter((job) => this.#runAlone(job)) : runAll(jobs);
      this.#commit.run();
      this.#committed.push(...done);
    } catch (error) {
      if (this.#db.isTransaction) this.#rollback.run();
      if (careful || jobs.length === 1) failAll(jobs, error);
      else {
        this.#queued = jobs;
        this.#careful = true;
        this.#transact();
      }
    }
  }

  /** Rejects a job that fails and undoes what it wrote, without spoiling the transaction. */
  #runAlone(job: Job): boolean {
    this.#savepoint.run();
    try {
      job.run();
      return true;
    } catch (error) {
      this.#undo.run();
      job.fail(error);
      return false;
    } finally {
      this.#release.run();
    }
  }

  #take(): Job[] {
    const jobs = this.#queued;
    this.#queued = [];
    return jobs;
  }

  /** Acknowledges what is committed, as soon as the sync under way (which began too early for it) has ended. */
  #sync(): void {
    if (this.#syncing) return;
    const jobs = this.#committed;
    if (jobs.length === 0) {
      if (this.#queued.length === 0) this.#drained?.();
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

function runAll(jobs: readonly Job[]): readonly Job[] {
  for (const job of jobs) job.run();
  return jobs;
}

function failAll(jobs: readonly Job[], error: unknown): void {
  for (const job of jobs) job.fail(error);
}
