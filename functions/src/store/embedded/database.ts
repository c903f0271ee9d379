import { chmodSync, closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { makeDirectory } from '../make-directory';
import { BUSY_TIMEOUT_MS, untilUnlocked } from './locking';
import { moveTables } from './move-tables';

/** Version of the tables of this program, as SQLite's `user_version`. */
const VERSION = 16;

/** From this version on all but kept runs are documents. */
const DOCUMENTS_SINCE = 14;
/** From this version on kept runs are, too. */
const RUNS_SINCE = 15;

/**
 * Documents (`documents.ts`), with an index for each search of the repositories. Of the ledger, open records and closed
 * ones are in one index each: every index is a page or two of every request's commits.
 */
const DOCUMENTS = `
  CREATE TABLE documents (
    id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, fields TEXT NOT NULL, bytes BLOB,
    expireAt INTEGER, uid TEXT, state TEXT, month TEXT, at INTEGER, settledAt INTEGER
  ) STRICT;
  CREATE INDEX documents_by_expiry ON documents (expireAt) WHERE expireAt IS NOT NULL;
  CREATE INDEX subscriptions_by_user ON documents (path) WHERE kind = 'subscriptions';
  CREATE INDEX tag_keys_by_pepper ON documents (path) WHERE kind = 'tagKeys';
  CREATE INDEX keys_of_user ON documents (uid, path) WHERE kind = 'apiKeys';
  CREATE INDEX acts_by_moment ON documents (at) WHERE kind = 'acts';
  CREATE INDEX acts_of_user ON documents (uid, at) WHERE kind = 'acts';
  CREATE INDEX usage_by_month ON documents (month) WHERE kind = 'usage';
  CREATE INDEX ledger_open ON documents (uid) WHERE kind = 'usageLedger' AND state = 'open';
  CREATE INDEX ledger_closed ON documents (settledAt, path) WHERE kind = 'usageLedger' AND settledAt IS NOT NULL;
`;

const RUNS = `
  ALTER TABLE documents ADD COLUMN parent TEXT;
  ALTER TABLE documents ADD COLUMN startedAt INTEGER;
  ALTER TABLE documents ADD COLUMN "to" INTEGER;
  CREATE INDEX runs_of_user ON documents (parent, startedAt, path) WHERE kind = 'runs';
  CREATE INDEX parts_of_run ON documents (parent, "to", path) WHERE kind = 'runParts';
`;

/** Since version 16 a user's requests are listed, those too that were written before moments of starts had a column. */
const REQUESTS = `
  UPDATE documents SET startedAt = fields ->> 'startedAt' WHERE kind = 'usageLedger' AND startedAt IS NULL;
  CREATE INDEX ledger_of_user ON documents (uid, startedAt, path) WHERE kind = 'usageLedger';
`;

/** An open database, its file and its write-ahead log. */
export interface OpenDatabase {
  readonly db: DatabaseSync;
  readonly path: string;
  readonly walPath: string;
}

/**
 * SQLite, loaded by the first store that is opened: `firebase deploy` asks for the functions on the Node it finds on PATH,
 * and 20 has none.
 */
function loadSqlite(): typeof import('node:sqlite') {
  const sqlite = process.getBuiltinModule?.('node:sqlite');
  if (!sqlite) throw new Error(`the embedded store needs the SQLite of Node 24; this is ${process.version}`);
  return sqlite;
}

/** The file of the store in a data directory. */
export function databasePath(directory: string): string {
  return join(directory, 'ensemble.db');
}

/**
 * Opens `ensemble.db` in `directory`, creating both (readable by their owner only) and the tables.
 * `synchronous` is NORMAL: commits leave the file consistent, and `Connection` sees to it that they are on disk before
 * they are acknowledged. A store of an earlier version is brought up to date, a copy of it kept as `ensemble.db.v{version}`.
 * Throws when the file was written by a newer version.
 */
export function openDatabase(directory: string): OpenDatabase {
  makeDirectory(directory);
  const path = databasePath(directory);
  createPrivately(path);
  const db = new (loadSqlite().DatabaseSync)(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    // The switch does not honour the busy timeout: two processes that start together would fail.
    untilUnlocked(() => db.exec('PRAGMA journal_mode = WAL'));
    // What is deleted is overwritten: it may be a prompt.
    db.exec('PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY; PRAGMA secure_delete = ON');
    // Under the write lock: of several processes that start together one does it and the others find it done.
    transactions(db, 'BEGIN IMMEDIATE')(() => migrate(db, path));
  } catch (error) {
    db.close();
    throw error;
  }
  return { db, path, walPath: `${path}-wal` };
}

/** Runs work in a transaction of one kind, which is rolled back when the work throws. */
export type Transact = <T>(work: () => T) => T;

/** Prepares the beginning and the end of transactions once for all. */
export function transactions(db: DatabaseSync, begin: 'BEGIN' | 'BEGIN IMMEDIATE'): Transact {
  const beginning = db.prepare(begin);
  const commit = db.prepare('COMMIT');
  return (work) => {
    beginning.run();
    try {
      const result = work();
      commit.run();
      return result;
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  };
}

function migrate(db: DatabaseSync, path: string): void {
  const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
  if (version > VERSION) {
    throw new Error(
      `a newer version of this program wrote it (it has version ${version}, this one knows up to ${VERSION})`,
    );
  }
  if (version === VERSION) return;
  if (version > 0) keepCopy(path, version);
  if (version < DOCUMENTS_SINCE) db.exec(DOCUMENTS);
  if (version < RUNS_SINCE) db.exec(RUNS);
  if (version > 0 && version < RUNS_SINCE) moveTables(db);
  db.exec(REQUESTS);
  db.exec(`PRAGMA user_version = ${VERSION}`);
}

/** Keeps a store of an earlier version as it was, beside it. */
function keepCopy(path: string, version: number): void {
  const copy = `${path}.v${version}`;
  // One that is there is of an attempt that failed: the store still has that version.
  rmSync(copy, { force: true });
  createPrivately(copy);
  const source = new (loadSqlite().DatabaseSync)(path, { readOnly: true });
  try {
    source.prepare('VACUUM INTO ?').run(copy);
  } finally {
    source.close();
  }
}

/** SQLite would follow the umask. Never opens an existing file: closing it would drop SQLite's locks on it. */
function createPrivately(path: string): void {
  if (existsSync(path)) return;
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Copies the store of a data directory to a new file, readable by its owner only, while servers go on using it: the copy is
 * of one moment. Returns the number of pages. Throws when the file exists already, and when there is no store.
 */
export async function backUpEmbeddedStore(directory: string, file: string): Promise<number> {
  const { backup, DatabaseSync } = loadSqlite();
  // Reading only: nothing is migrated, and a directory without a store gets none.
  const source = new DatabaseSync(databasePath(directory), { readOnly: true });
  try {
    closeSync(openSync(file, 'wx', 0o600));
    const pages = await backup(source, file);
    chmodSync(file, 0o600);
    return pages;
  } finally {
    source.close();
  }
}
