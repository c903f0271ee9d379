import { copyFile, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { backUpEmbeddedStore } from '../../src/store/embedded/database';
import { openEmbeddedStore } from '../../src/store/embedded/embedded-store';
import type { Store } from '../../src/store/store';
import { callRow, grantLease, keyRecord, rateLimit, reservation, settlement, T0 } from '../support/store-records';
import { temporaryDirectory } from '../support/temporary-directory';

/** A backup can be restored: a deployment goes on from it as if nothing had happened (docs/deploy.md, Backups). */

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
});

function disposable<T extends { remove(): Promise<void> }>(directory: T) {
  return { ...directory, [Symbol.asyncDispose]: () => directory.remove() };
}
