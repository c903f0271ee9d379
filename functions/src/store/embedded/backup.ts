import { chmodSync, closeSync, openSync } from 'node:fs';
import { databasePath, loadSqlite } from './database';

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
