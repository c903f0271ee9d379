import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { temporaryDirectory } from '../../../test/support/temporary-directory';
import { untilUnlocked, whenUnlocked } from './locking';

describe('waiting for a locked database', () => {
  let holder: DatabaseSync;
  let waiter: DatabaseSync;
  let remove: () => Promise<void>;
  beforeEach(async () => {
    const directory = await temporaryDirectory();
    remove = directory.remove;
    const path = join(directory.path, 'test.db');
    holder = new DatabaseSync(path);
    waiter = new DatabaseSync(path, { timeout: 0 });
    holder.exec('BEGIN IMMEDIATE');
  });
  afterEach(async () => {
    holder.close();
    waiter.close();
    await remove();
  });

  const begin = () => waiter.exec('BEGIN IMMEDIATE');

  it('tries again until the lock is free', async () => {
    let attempts = 0;
    const begun = whenUnlocked(() => {
      attempts += 1;
      if (attempts === 3) holder.exec('COMMIT');
      begin();
      return attempts;
    });
    expect(await begun).toBe(3);
    expect(waiter.isTransaction).toBe(true);
  });

  it('does the same without leaving the turn', () => {
    let attempts = 0;
    untilUnlocked(() => {
      attempts += 1;
      if (attempts === 3) holder.exec('COMMIT');
      begin();
    });
    expect(attempts).toBe(3);
  });

  it('gives up with SQLite’s own error once the time is over', async () => {
    await expect(whenUnlocked(begin, 0)).rejects.toThrow('database is locked');
  });
});
