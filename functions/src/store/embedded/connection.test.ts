import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { temporaryDirectory } from '../../../test/support/temporary-directory';
import { Connection } from './connection';
import { type OpenDatabase, openDatabase } from './database';
import { whenUnlocked } from './locking';

describe('Connection', () => {
  let database: OpenDatabase;
  let remove: () => Promise<void>;
  let connection: Connection;
  beforeEach(async () => {
    const directory = await temporaryDirectory();
    remove = directory.remove;
    database = openDatabase(directory.path);
    database.db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY)');
    connection = new Connection(database);
  });
  afterEach(async () => {
    await connection.close();
    await remove();
  });

  const insert = (id: number) => () => {
    database.db.exec(`INSERT INTO t VALUES (${id})`);
    return id;
  };
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
  const stored = () =>
    database.db
      .prepare('SELECT id FROM t ORDER BY id')
      .all()
      .map(({ id }) => id);

  it('runs what is asked in one turn in one transaction, in order, and gives each its own result', async () => {
    const order: number[] = [];
    const work = (id: number) => () => {
      order.push(id);
      // A savepoint ends with its transaction: only in the same one can the third release what the first set.
      if (id === 1) database.db.exec('SAVEPOINT shared');
      if (id === 3) database.db.exec('RELEASE shared');
      return insert(id)();
    };
    expect(await Promise.all([1, 2, 3].map((id) => connection.write(work(id))))).toEqual([1, 2, 3]);
    expect(order).toEqual([1, 2, 3]);
    expect(stored()).toEqual([1, 2, 3]);
  });

  it('resolves a commit before it is on disk, where all can see it, and tells when it is there', async () => {
    const order: string[] = [];
    const written = connection.write(insert(1)).then(() => order.push('written'));
    const committed = connection.write(insert(2), 'committed').then(() => {
      order.push('committed');
      expect(stored()).toEqual([1, 2]);
      return connection.onDisk()?.then(() => order.push('on disk'));
    });
    await Promise.all([written, committed]);
    expect(order[0]).toBe('committed');
    expect(order.toSorted()).toEqual(['committed', 'on disk', 'written']);
    expect(connection.onDisk()).toBeUndefined();
  });

  it('rejects only the operation that failed and undoes all it had written', async () => {
    const spoilt = () => {
      insert(2)();
      throw new Error('spoilt');
    };
    const results = await Promise.allSettled(
      [insert(1), spoilt, insert(3)].map((work) => connection.write<number>(work)),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(stored()).toEqual([1, 3]);
  });

  it('waits for another writer while the event loop and readers go on, and then writes all in order', async () => {
    const other = new DatabaseSync(database.path);
    other.exec('BEGIN IMMEDIATE; INSERT INTO t VALUES (1)');
    const writes = [connection.write(insert(2))];
    await nextTurn();
    writes.push(connection.write(insert(3)));
    await nextTurn();
    expect(stored()).toEqual([]);
    other.exec('COMMIT');
    other.close();
    expect(await Promise.all(writes)).toEqual([2, 3]);
    expect(stored()).toEqual([1, 2, 3]);
  });

  it('gives up with SQLite’s own error once its time for another writer is over', async () => {
    const other = new DatabaseSync(database.path);
    other.exec('BEGIN IMMEDIATE');
    await expect(whenUnlocked(() => database.db.exec('BEGIN IMMEDIATE'), 0)).rejects.toThrow('database is locked');
    other.close();
  });

  it('closes only after a write that waits for another writer', async () => {
    const other = new DatabaseSync(database.path);
    other.exec('BEGIN IMMEDIATE');
    const written = connection.write(insert(1));
    const closed = connection.close();
    await nextTurn();
    other.exec('COMMIT');
    await expect(written).resolves.toBe(1);
    await closed;
    expect(other.prepare('SELECT id FROM t').all()).toHaveLength(1);
    other.close();
  });

  it('tells a full disk as a store that is unavailable, and takes what fits afterwards', async () => {
    const pages = Number(database.db.prepare('PRAGMA page_count').get()?.['page_count']);
    database.db.exec(`PRAGMA max_page_count = ${pages}`);
    const large = () => database.db.exec('CREATE TABLE large AS SELECT randomblob(100000)');
    await expect(connection.write(large)).rejects.toMatchObject({
      code: 'store_unavailable',
      headers: { 'retry-after': '5' },
      cause: { errcode: 13 },
    });
    await expect(connection.write(insert(1))).resolves.toBe(1);
  });

  it('acknowledges nothing once the disk has failed', async () => {
    // A device cannot be synced: the real call fails as it would on a broken disk.
    const broken = new Connection({ ...database, walPath: join('/dev', 'null') });
    const failed = { code: 'store_unavailable', cause: { syscall: 'fdatasync' } };
    await expect(broken.write(insert(1))).rejects.toMatchObject(failed);
    await expect(broken.write(insert(2))).rejects.toMatchObject(failed);
    expect(stored()).toEqual([1]);
  });
});
