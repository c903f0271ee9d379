import { copyFile, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { backUpEmbeddedStore } from '../../src/store/embedded/backup';
import { openEmbeddedStore } from '../../src/store/embedded/embedded-store';
import { openFirestoreStore } from '../../src/store/firestore/firestore-store';
import type { Store } from '../../src/store/store';
import { describeWithFirestore, exportFirestore, withImportedFirestore } from '../support/firestore-emulator';
import { callRow, grantLease, keyRecord, rateLimit, reservation, settlement, T0 } from '../support/store-records';
import { temporaryDirectory } from '../support/temporary-directory';

/** What was backed up can be restored: a deployment goes on from it as if nothing had happened (docs/deploy.md, Backups). */

const MONTH = { userId: 'ada', month: '2026-03' };
const KEY = keyRecord('k1', { userId: 'ada' });

/** A key, a subscription, a settled run and one that is open, and a part of a grant. */
async function fill(store: Store): Promise<void> {
  await store.putSubscription({ userId: 'ada', tier: 'pro', status: 'active', sourceUpdatedAtMs: T0 });
  await store.insertKey(KEY);
  await store.admit(rateLimit(1_000), [reservation('settled'), reservation('open')], T0);
  await store.settle(settlement('settled', [callRow('draft.p1')]));
  await store.leaseGrant(grantLease('open', 1_000, MONTH), 300_000, T0);
}

/** Everything that a server reads again after a restore. */
async function contents(store: Store) {
  return {
    access: await store.readAccess([KEY.hash]),
    records: [await store.findRecord('settled'), await store.findRecord('open')],
    months: await store.readMonths('ada', [MONTH.month]),
    grant: await store.readGrant(MONTH, T0),
  };
}

describe('a backup of the embedded store', () => {
  it('is of one moment, made while the store is in use, and restored by copying it to a new directory', async () => {
    await using directory = disposable(await temporaryDirectory());
    const [from, to] = [join(directory.path, 'from'), join(directory.path, 'to')];
    const store = openEmbeddedStore({ directory: from });
    await fill(store);
    const before = await contents(store);
    const file = join(directory.path, 'backup.db');
    // The server goes on: what it does from now on may be in the copy or not, but never half of it.
    const [pages] = await Promise.all([
      backUpEmbeddedStore(from, file),
      store.admit(rateLimit(1_000), [reservation('late', { userId: 'bob' })], T0),
    ]);
    await store.putSubscription({ userId: 'ada', tier: 'pro', status: 'canceled', sourceUpdatedAtMs: T0 + 1 });
    expect(pages).toBeGreaterThan(0);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await store.close();

    await mkdir(to);
    await copyFile(file, join(to, 'ensemble.db'));
    const restored = openEmbeddedStore({ directory: to });
    expect(await contents(restored)).toEqual(before);
    // And it goes on from there: what was open is settled, once.
    expect(await restored.settle(settlement('open', [callRow('a')]))).toBe('applied');
    expect(await restored.settle(settlement('settled', [callRow('a')]))).toBe('already');
    await restored.close();
  });

  it('overwrites nothing, and makes no store where there is none', async () => {
    await using directory = disposable(await temporaryDirectory());
    const file = join(directory.path, 'precious');
    await expect(backUpEmbeddedStore(directory.path, file)).rejects.toThrow('unable to open database file');
    await openEmbeddedStore({ directory: directory.path }).close();
    await writeFile(file, 'mine');
    await expect(backUpEmbeddedStore(directory.path, file)).rejects.toThrow('EEXIST');
    expect(await readdir(directory.path)).toEqual(expect.not.arrayContaining(['precious-wal']));
  });
});

describeWithFirestore('an export of a Firestore database', (emulator) => {
  it('is restored by importing it into a new database, where the service goes on from it', async () => {
    await using directory = disposable(await temporaryDirectory());
    const projectId = emulator.newProject();
    const store = openFirestoreStore({ projectId });
    await fill(store);
    const before = await contents(store);
    const file = await exportFirestore(projectId, directory.path);
    // What came after it is lost.
    await store.putSubscription({ userId: 'ada', tier: 'pro', status: 'canceled', sourceUpdatedAtMs: T0 + 1 });
    await store.close();

    const after = await withImportedFirestore(file, async () => {
      const restored = openFirestoreStore({ projectId });
      const found = await contents(restored);
      const again = await restored.settle(settlement('settled', [callRow('a')]));
      const open = await restored.settle(settlement('open', [callRow('a')]));
      await restored.close();
      return { found, again, open };
    });
    expect(after ?? 'no emulator to import it').toEqual({ found: before, again: 'already', open: 'applied' });
  });
});

function disposable<T extends { remove(): Promise<void> }>(directory: T) {
  return { ...directory, [Symbol.asyncDispose]: () => directory.remove() };
}
