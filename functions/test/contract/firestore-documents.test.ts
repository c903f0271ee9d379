import { type Firestore, Timestamp } from 'firebase-admin/firestore';
import { openFirestoreStore } from '../../src/store/firestore/firestore-store';
import type { Store } from '../../src/store/store';
import type { CallRow } from '../../src/usage/call-row';
import { sweepExpired } from '../../src/usage/sweep';
import { fakeClock } from '../support/fake-clock';
import { describeWithFirestore, rawFirestore } from '../support/firestore-emulator';
import { callRow, keyRecord, openRow, rateLimit, reservation, settlement, T0 } from '../support/store-records';
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
    await store.admit(rateLimit(1_000), [reservation(requestId, { userId })], T0);
    return store.settle(settlement(requestId, calls));
  };
  const march = async (userId = 'ada') => (await store.readMonths(userId, ['2026-03']))[0];
  const monthPages = async (userId = 'ada') => {
    const { docs } = await raw.collection(`users/${userId}/usage`).get();
    return docs.map((document) => ({ id: document.id, fields: document.data() }));
  };

  it('keeps a key, what its owner may see of it, and its id in step', async () => {
    await store.insertKey(keyRecord('k', { hash: 'h', expiresAtMs: T0 + HOUR_MS }));
    await store.updateKey('k', { status: 'revoked', replacedBy: 'k2' });
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

  it('moves the last use in both documents of a key', async () => {
    await store.insertKey(keyRecord('key-1', { hash: 'h' }));
    await settled('r', []);
    expect((await data('apiKeys/h'))?.['lastUsedAt']).toEqual(time(T0));
    expect((await data('users/ada/keys/key-1'))?.['lastUsedAt']).toEqual(time(T0));
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

  it('spreads thousands of models over documents of at most 1,000 lines, with exact sums of repeated use', async () => {
    const calls = Array.from({ length: 1_100 }, (_, index) =>
      callRow(`c${index}`, { modelId: `owner/model.${index}`, modelName: `Model ${index}`, costNanoUsd: index }),
    );
    for (const round of ['a', 'b']) {
      for (let part = 0; part < 11; part += 1)
        await settled(`${round}${part}`, calls.slice(100 * part, 100 * part + 100));
    }
    const pages = await monthPages();
    expect(pages.length).toBeGreaterThan(1);
    for (const { id, fields } of pages) {
      expect(Object.keys(fields['m'] ?? {}).length).toBeLessThanOrEqual(1_000);
      expect(id).toMatch(/^2026-03(~\d+)?$/);
    }
    const month = await march();
    // 2 × (0 + 1 + … + 1099) = 1,208,900
    expect(month).toMatchObject({ requests: 22, promptTokens: 22_000, costNanoUsd: 1_208_900 });
    expect(month?.models).toHaveLength(1_100);
    expect(month?.models.every(({ requests }) => requests === 2)).toBe(true);
    expect(month?.models[0]).toMatchObject({ id: 'owner/model.1099', costNanoUsd: 2 * 1_099 });
  });

  it('stays below 1 MiB and 500 increments a document when ids are as long as can be', async () => {
    const transforms: number[] = [];
    const stop = interceptFirestore((call, send) => {
      transforms.push(...call.transforms);
      return send();
    });
    // Three bytes a character, twice a line: a thousand such lines would be too much for one document.
    const long = '深'.repeat(190);
    for (let part = 0; part < 10; part += 1) {
      const id = (index: number) => `${long} ${part} ${index}`;
      const rows = Array.from({ length: 130 }, (_, index) =>
        callRow(`c${index}`, { modelId: id(index), modelName: id(index) }),
      );
      await settled(`r${part}`, rows);
    }
    stop();
    expect(Math.max(...transforms)).toBeLessThanOrEqual(500);
    for (const { fields } of await monthPages()) {
      expect(Buffer.byteLength(JSON.stringify(fields))).toBeLessThan(DOCUMENT_BYTES_MAX);
    }
    const month = await march();
    expect(month?.models).toHaveLength(1_300);
    expect(month).toMatchObject({ promptTokens: 13_000, costNanoUsd: 390_000 });
  });

  it('refuses a settlement that would take a month beyond exact numbers, and only that one', async () => {
    const costing = (costNanoUsd: number) => [callRow('c', { costNanoUsd })];
    await settled('first', costing(Number.MAX_SAFE_INTEGER - 5), 'rich');
    await expect(settled('too-much', costing(6), 'rich')).rejects.toThrow(RangeError);
    expect((await store.findRecord('too-much'))?.state).toBe('open');
    expect(await settled('fits', costing(5), 'rich')).toBe('applied');
    expect(await march('rich')).toMatchObject({ requests: 2, costNanoUsd: Number.MAX_SAFE_INTEGER });
  });

  it('settles each expired record once when two processes sweep at the same time', async () => {
    await store.insertKey(keyRecord('key-1'));
    const ids = Array.from({ length: 60 }, (_, index) => `r${index}`);
    const calls = [openRow('c', { costNanoUsd: 3 })];
    await store.admit(
      rateLimit(100),
      ids.map((id) => reservation(id, { calls })),
      T0,
    );
    const other = openFirestoreStore({ projectId });
    const clock = fakeClock(T0 + 660_001);
    const swept = await Promise.all([store, other].map((one) => sweepExpired(one, clock)));
    await other.close();
    expect(swept.reduce((sum, count) => sum + count)).toBe(60);
    expect(await march()).toMatchObject({ requests: 60, costNanoUsd: 180 });
    expect((await store.findKey('key-1'))?.lastUsedAtMs).toBe(T0);
  });

  it('refuses reservations of different users in one batch', async () => {
    const strangers = [reservation('a'), reservation('b', { userId: 'bob' })];
    await expect(store.admit(rateLimit(5), strangers, T0)).rejects.toThrow('different users');
  });
});
