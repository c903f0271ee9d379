import { type Firestore, Timestamp } from '@google-cloud/firestore';
import type { CallRow } from '../../src/ledger/call-row';
import { openFirestoreStore } from '../../src/store/firestore/firestore-store';
import { mapKey } from '../../src/store/repositories/refs';
import type { Store } from '../../src/store/store';
import { describeWithFirestore, rawFirestore } from '../support/firestore-emulator';
import {
  adasKey,
  callRow,
  grantLease,
  keptMax,
  keptRun,
  keyRecord,
  openRow,
  rateLimit,
  reservation,
  routerKeyRecord,
  routerModel,
  settlement,
  T0,
} from '../support/store-records';
import { interceptFirestore } from './firestore-calls';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Firestore's limit for a document, its name and fields together. */
const DOCUMENT_BYTES_MAX = 1_048_576;

describeWithFirestore('documents of the Firestore store', (emulator) => {
  let projectId: string;
  let store: Store;
  let raw: Firestore;
  beforeEach(() => {
    projectId = emulator.newProject();
    store = openFirestoreStore({ projectId });
    raw = rawFirestore(projectId);
  });
  afterEach(async () => {
    await store.close();
    await raw.terminate();
  });

  const data = async (path: string) => (await raw.doc(path).get()).data();
  const time = (timeMs: number) => Timestamp.fromMillis(timeMs);
  const settled = async (requestId: string, calls: readonly CallRow[], userId = 'ada') => {
    const asked = reservation(requestId, { userId });
    await store.admit(rateLimit(1_000), [asked], T0);
    return store.settle(settlement(asked, calls));
  };
  const march = async (userId = 'ada') => (await store.readMonths(userId, ['2026-03']))[0];
  const monthPages = async (userId = 'ada') => {
    const { docs } = await raw.collection(`users/${userId}/usage`).get();
    return docs.map((document) => ({ id: document.id, fields: document.data() }));
  };

  it('keeps a key, what its owner may see of it, and its id in step', async () => {
    await store.insertKey(keyRecord('k', { hash: 'h', expiresAtMs: T0 + HOUR_MS }));
    await store.updateKey(adasKey('k'), { status: 'revoked', replacedBy: 'k2' });
    const visible = {
      name: 'laptop',
      prefix: 'sk-ens_',
      last4: 'Zz09',
      status: 'revoked',
      createdAt: time(T0),
      expiresAt: time(T0 + HOUR_MS),
      lastUsedAt: null,
      replacedBy: 'k2',
    };
    expect(await data('apiKeys/h')).toEqual({ ...visible, uid: 'ada', keyId: 'k', pepperV: 'v1' });
    expect(await data('users/ada/keys/k')).toEqual(visible);
    expect(await data('keyIds/k')).toEqual({ hash: 'h', uid: 'ada' });
  });

  it('lets the database remove logs after an hour and closed records after 400 days, but no open ones', async () => {
    await store.admit(rateLimit(5), [reservation('r', { calls: [openRow('c')] })], T0);
    expect((await data('rateLimits/ada__api'))?.['expireAt']).toEqual(time(T0 + HOUR_MS));
    expect(await data('usageLedger/r')).not.toHaveProperty('expireAt');
    await store.settle(settlement('r', [callRow('c')]));
    expect((await data('usageLedger/r'))?.['expireAt']).toEqual(time(T0 + 400 * DAY_MS));
  });

  it('adds what the ledger says', async () => {
    await store.admit(rateLimit(5), [reservation('r', { calls: [openRow('c')] })], T0);
    await store.settle(settlement('r', [callRow('c'), callRow('d', { estimated: true })]));
    expect(await data('usageLedger/r')).toMatchObject({
      uid: 'ada',
      month: '2026-03',
      state: 'settled',
      estimated: true,
      totals: { ctx: 20, gen: 40, costNano: 600 },
      finalCalls: [callRow('c'), callRow('d', { estimated: true })],
    });
    const [page] = await monthPages();
    expect(page).toMatchObject({ id: '2026-03', fields: { nRequests: 1, ctx: 20, gen: 40, costNano: 600, v: 1 } });
    const lines = [...Object.values(page?.fields['m']), ...Object.values(page?.fields['k'])];
    expect(lines).toEqual([
      { id: 'model-a', name: 'Model A', n: 2, ctx: 20, gen: 40, costNano: 600 },
      { id: 'key-1', name: 'laptop', n: 1, ctx: 20, gen: 40, costNano: 600 },
    ]);
  });

  it('keeps text that is not well formed, and an id whose hash would be a reserved name', async () => {
    // The first 16 characters of base64url(sha256('model-9616013')) are '__IU40sFFdCYIB__', found by trying.
    const calls = [
      callRow('\ud800', { modelId: 'lone \udc00', modelName: '\ud800' }),
      callRow('c', { modelId: 'model-9616013', costNanoUsd: 1 }),
    ];
    await store.admit(rateLimit(5), [reservation('r', { calls, keyName: '\ud800' })], T0);
    await store.checkpoint('r', calls);
    expect(await store.settle(settlement('r', calls))).toBe('applied');
    expect((await march())?.models.map(({ id }) => id)).toEqual(['lone \ufffd', 'model-9616013']);
  });

  it('keeps a full month in one document far below 1 MiB, with at most 500 increments a commit', async () => {
    const transforms: number[] = [];
    const stop = interceptFirestore((call, send) => {
      transforms.push(...call.transforms);
      return send();
    });
    // 200 characters, the most an id and a name may have, at three bytes each.
    const id = (index: number) => `${index}`.padEnd(200, '深');
    const rows = Array.from({ length: 230 }, (_, index) =>
      callRow(`c${index}`, { modelId: id(index), modelName: id(index) }),
    );
    await settled('first', rows);
    await settled('again', rows);
    await settled('few', rows.slice(0, 90));
    const keys = Array.from({ length: 200 }, (_, index) => `${index}`.padEnd(32, 'k'));
    const lines = keys.map((key) => [
      mapKey(key),
      { id: key, name: '深'.repeat(100), n: 1, ctx: 0, gen: 0, costNano: 0 },
    ]);
    await raw.doc('users/ada/usage/2026-03').update({ k: Object.fromEntries(lines) });
    for (const keyId of ['late-1', 'late-2', ...keys.slice(0, 1)]) {
      const asked = reservation(`of ${keyId}`, { keyId });
      await store.admit(rateLimit(1_000), [asked], T0);
      await store.settle(settlement(asked, []));
    }
    stop();
    expect(Math.max(...transforms)).toBeGreaterThan(360);
    expect(Math.max(...transforms)).toBeLessThanOrEqual(500);
    const pages = await monthPages();
    expect(pages.map((page) => page.id)).toEqual(['2026-03']);
    expect(Buffer.byteLength(JSON.stringify(pages[0]?.fields))).toBeLessThan(DOCUMENT_BYTES_MAX / 2);
    const month = await march();
    expect(month).toMatchObject({ requests: 6, promptTokens: 5_500, costNanoUsd: 165_000 });
    expect(
      month?.keys
        .filter(({ requests }) => requests > 1)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['Other keys', 'laptop']);
    expect([month?.models.length, month?.keys.length]).toEqual([201, 201]);
  });

  it('keeps the sealed router key where no client may read, and its last four beside the models and grants', async () => {
    const record = routerKeyRecord('secret-1234');
    await store.putRouterKey(record);
    await store.addRouterModels('ada', [routerModel('meta/llama-3:free')], { max: 100 });
    const { addedAtMs, ...model } = routerModel('meta/llama-3:free');
    expect(await data('users/ada/private/routerKey')).toEqual({
      enc: record.enc,
      last4: '1234',
      createdAt: time(T0),
    });
    const models = { [mapKey('meta/llama-3:free')]: { ...model, addedAt: time(addedAtMs) } };
    expect(await data('users/ada/byok/models')).toEqual({ models, count: 1, last4: '1234' });
    await store.leaseGrant(grantLease('a.run/1', 500), 1_000, T0);
    expect(await data('users/ada/byok/grant-2026-03')).toEqual({
      open: { [mapKey('a.run/1')]: { id: 'a.run/1', est: 500, leaseUntil: time(T0 + 660_000) } },
      expireAt: time(Date.UTC(2026, 2, 1) + 400 * DAY_MS),
    });
  });

  it('keeps a run, its request and its events where it kept them before', async () => {
    const run = keptRun('run-1', { eventCount: 2 });
    await store.createRun(run, Buffer.from('request'), keptMax());
    await store.writeRun(run, { from: 0, to: 2, bytes: Buffer.from('events') });
    const expireAt = time(run.expiresAtMs);
    expect(await data('users/ada/runs/run-1')).toMatchObject({
      ...{ state: 'running', startedAt: time(T0), leaseUntil: time(run.leaseUntilMs), expireAt, bytes: 13 },
      request: { name: 'request', of: 1 },
    });
    const parts = 'users/ada/runs/run-1/runParts';
    expect(await data(`${parts}/request~0`)).toEqual({ bytes: Buffer.from('request'), expireAt });
    const events = { bytes: Buffer.from('events'), from: 0, to: 2, of: 1, expireAt };
    expect(await data(`${parts}/events-000000000~0`)).toEqual(events);
  });
});
