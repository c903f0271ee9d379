import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { migrate } from './schema';

/** How long a writer waits for another process's commit before it fails. */
const BUSY_TIMEOUT_MS = 5_000;

const SQLITE_BUSY = 5;

/** An open database and the path of its write-ahead log. */
export interface OpenDatabase {
  readonly db: DatabaseSync;
  readonly walPath: string;
}

/**
 * Opens `ensemble.db` in `directory`, creating both (readable by their owner only) and the tables.
 * `synchronous` is NORMAL: commits leave the books consistent, and `CommitQueue` sees to it that they are on disk
 * before anyone is told so.
 */
export function openDatabase(directory: string): OpenDatabase {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, 'ensemble.db');
  createPrivately(path);
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    whenUnlocked(() => db.exec('PRAGMA journal_mode = WAL'));
    db.exec('PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY');
    migrate(db);
  } catch (error) {
    db.close();
    throw error;
  }
  return { db, walPath: `${path}-wal` };
}

/** SQLite would follow the umask. Never opens an existing file: closing it would drop SQLite's locks on it. */
function createPrivately(path: string): void {
  if (existsSync(path)) return;
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/** The switch to WAL does not honour the busy timeout, so two processes that start together would fail. */
function whenUnlocked(work: () => void): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let waitedMs = 0; ; waitedMs += 10) {
    try {
      work();
      return;
    } catch (error) {
      if (!isBusy(error) || waitedMs >= BUSY_TIMEOUT_MS) throw error;
      Atomics.wait(pause, 0, 0, 10);
    }
  }
}

/** Whether SQLite gave up because another process held the lock for too long. */
export function isBusy(error: unknown): boolean {
  // The low byte is the primary result code, the rest says what kind of busy.
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;
}
