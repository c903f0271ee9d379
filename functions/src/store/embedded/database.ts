import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BUSY_TIMEOUT_MS, untilUnlocked } from './locking';
import { migrate } from './schema';

/** An open database, its file and its write-ahead log. */
export interface OpenDatabase {
  readonly db: DatabaseSync;
  readonly path: string;
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
    // The switch does not honour the busy timeout: two processes that start together would fail.
    untilUnlocked(() => db.exec('PRAGMA journal_mode = WAL'));
    db.exec('PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY');
    migrate(db);
  } catch (error) {
    db.close();
    throw error;
  }
  return { db, path, walPath: `${path}-wal` };
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
