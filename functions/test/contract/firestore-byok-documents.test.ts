import { type Firestore, Timestamp } from '@google-cloud/firestore';
import { openFirestoreStore } from '../../src/store/firestore/firestore-store';
import type { Store } from '../../src/store/store';
import { describeWithFirestore, rawFirestore } from '../support/firestore-emulator';
import {
  callRow,
  grantLease,
  rateLimit,
  reservation,
  routerKeyRecord,
  routerModel,
  settlement,
  T0,
} from '../support/store-records';
import { callsOf } from './firestore-calls';

const DAY_MS = 86_400_000;

describeWithFirestore('documents of the bring-your-own-key plan', (emulator) => {
  let store: Store;
  let raw: Firestore;
  beforeEach(() => {
    const projectId = emulator.newProject();
    store = openFirestoreStore({ projectId });
    raw = rawFirestore(projectId);
  });
  afterEach(async () => {
    await store.close();
    await raw.terminate();
  });

  const data = async (path: string) => (await raw.doc(path).get()).data();
  const time = (timeMs: number) => Timestamp.fromMillis(timeMs);

  it('keep the sealed key where no client may read, and only its last four where its owner may', async () => {
    const record = routerKeyRecord('secret-1234');
    await store.putRouterKey(record);
    expect(await data('users/ada/private/routerKey')).toEqual({
      enc: record.enc,
      last4: '1234',
      createdAt: time(T0),
    });
    expect(await data('users/ada/byok/models')).toEqual({ last4: '1234' });
    await store.deleteRouterKey('ada');
    expect(await data('users/ada/private/routerKey')).toBeUndefined();
    expect(await data('users/ada/byok/models')).toEqual({});
  });

  it('keep all models of a user in one document, beside the last four', async () => {
    await store.putRouterKey(routerKeyRecord('secret-1234'));
    await store.addRouterModels('ada', [routerModel('meta/llama-3:free'), routerModel('x/y')], { max: 100 });
    await store.removeRouterModel('ada', 'x/y');
    const { addedAtMs, ...model } = routerModel('meta/llama-3:free');
    const stored = await data('users/ada/byok/models');
    expect(stored).toEqual({ models: expect.anything(), count: 1, last4: '1234' });
    expect(Object.values(stored?.['models'])).toEqual([{ ...model, addedAt: time(addedAtMs) }]);
    expect(Object.keys(stored?.['models'])[0]).toMatch(/^[A-Za-z0-9_-]{16}$/);
  });

  it('keep a grant with its leases, until the ledger records behind it go', async () => {
    await store.leaseGrant(grantLease('a.run/1', 500), 1_000, T0);
    const expireAt = time(Date.UTC(2026, 2, 1) + 400 * DAY_MS);
    const leased = await data('users/ada/byok/grant-2026-03');
    expect(leased).toEqual({ open: expect.anything(), expireAt });
    expect(Object.values(leased?.['open'])).toEqual([{ id: 'a.run/1', est: 500, leaseUntil: time(T0 + 660_000) }]);

    await store.admit(rateLimit(9, 'byok'), [reservation('a-run', { onGrant: true })], T0);
    await store.settle(settlement('a-run', [callRow('c')]));
    expect(await data('users/ada/byok/grant-2026-03')).toMatchObject({ used: 30, expireAt });
  });

  it('forget leases that have ended, so that a grant does not grow', async () => {
    for (let run = 0; run < 5; run += 1) {
      const atMs = T0 + run * 660_000;
      await store.leaseGrant(grantLease(`dead-${run}`, 10, { leaseUntilMs: atMs + 660_000 }), 1_000, atMs);
    }
    expect(Object.keys((await data('users/ada/byok/grant-2026-03'))?.['open'])).toHaveLength(1);
  });

  it('cost a lease one read and one commit, and a settlement no call more', async () => {
    await store.admit(rateLimit(9, 'byok'), [reservation('warm-up')], T0);
    await store.settle(settlement('warm-up', [callRow('c')]));
    expect(await callsOf(() => store.leaseGrant(grantLease('run', 500), 1_000, T0))).toEqual([
      'batchGetDocuments 1',
      'commit',
    ]);
    await store.admit(rateLimit(9, 'byok'), [reservation('run', { onGrant: true })], T0);
    const plain = await callsOf(async () => {
      await store.admit(rateLimit(9, 'byok'), [reservation('plain')], T0);
      await store.settle(settlement('plain', [callRow('c')]));
    });
    const onGrant = await callsOf(async () => {
      await store.admit(rateLimit(9, 'byok'), [reservation('run-2', { onGrant: true })], T0);
      await store.settle(settlement('run-2', [callRow('c')]));
    });
    expect(onGrant).toEqual(plain);
  });
});
