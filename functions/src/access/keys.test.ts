import { fakeClock } from '../../test/support/fake-clock';
import { temporaryDirectory } from '../../test/support/temporary-directory';
import { isRefusal, type Refusal } from '../errors';
import { openEmbeddedStore } from '../store/embedded/embedded-store';
import type { Store } from '../store/store';
import { parsePeppers } from './api-key';
import { type CreatedKey, createKey, type KeyDeps, type NewKey, revokeKey, rotateKey } from './keys';

const HOUR_MS = 3_600_000;

describe('management of API keys', () => {
  const clock = fakeClock();
  let store: Store;
  let deps: KeyDeps;
  let remove: () => Promise<void>;
  beforeEach(async () => {
    const directory = await temporaryDirectory();
    store = openEmbeddedStore({ directory: directory.path });
    remove = directory.remove;
    deps = { store, clock, keyPrefix: 'ens', peppers: parsePeppers('pepper') };
    for (const userId of ['ada', 'bob']) await subscribe(userId, 'active');
  });
  afterEach(async () => {
    await store.close();
    await remove();
  });

  const subscribe = (userId: string, status: string, tier = 'pro') =>
    store.putSubscription({ userId, tier, status, sourceUpdatedAtMs: clock.nowMs() });
  const create = (userId = 'ada', wanted: Partial<NewKey> = {}) => createKey(deps, { userId, name: 'k', ...wanted });
  const made = async (created: Promise<CreatedKey | Refusal>): Promise<CreatedKey> => {
    const result = await created;
    if (isRefusal(result)) throw new Error(result.text);
    return result;
  };
  const fill = async () => {
    const keys = [];
    for (let index = 0; index < 20; index += 1) keys.push((await made(create())).record.keyId);
    return keys;
  };
  const liveKeys = async () => {
    const isLive = ({ status, expiresAtMs }: { status: string; expiresAtMs: number | null }) =>
      status === 'active' && (expiresAtMs === null || expiresAtMs > clock.nowMs());
    return (await store.listKeys('ada')).filter(isLive).length;
  };

  it.each([
    ['none', undefined, undefined],
    ['pro, canceled', 'pro', 'canceled'],
    ['byok, active', 'byok', 'active'],
  ])('makes and rotates no key for a user whose subscription is: %s', async (_, tier, status) => {
    const { record } = await made(create('ada'));
    if (tier && status) await subscribe('ada', status, tier);
    const userId = tier ? 'ada' : 'nobody';
    expect(await create(userId)).toMatchObject({ refused: true, code: 'no_subscription' });
    if (tier) expect(await rotateKey(deps, { ...record, overlapMs: 0 })).toMatchObject({ code: 'no_subscription' });
    expect(await store.listKeys(userId)).toHaveLength(tier ? 1 : 0);
  });

  it.each<[field: string, wanted: Partial<NewKey>]>([
    ['name', { name: ' ' }],
    ['name', { name: 'n'.repeat(101) }],
    ['name', { name: 'n\ud800' }],
    ['name', { name: 'two\nlines' }],
    ['user', { userId: ' ' }],
    ['user', { userId: 'u'.repeat(201) }],
    ['user', { userId: 'u\udc00' }],
    ['user', { userId: 'u\u0000' }],
    ['expiresAt', { expiresAtMs: clock.nowMs() }],
    ['expiresAt', { expiresAtMs: Number.NaN }],
    ['models', { models: [] }],
    ['models', { models: [''] }],
    ['models', { models: ['m'.repeat(201)] }],
    ['models', { models: Array(101).fill('m') }],
    ['models', { models: ['gpt-\u0000'] }],
    ['models', { models: ['gpt-\ud800'] }],
    ['endpoints', { endpoints: [] }],
    ['endpoints', { endpoints: ['constructor' as 'usage'] }],
    ['requestsPerMinute', { requestsPerMinute: 0 }],
    ['requestsPerMinute', { requestsPerMinute: 31 }],
    ['requestsPerMinute', { requestsPerMinute: 1.5 }],
    ['budgetUsd', { budgetNanoUsd: 0 }],
    ['budgetUsd', { budgetNanoUsd: -1 }],
    ['budgetUsd', { budgetNanoUsd: 1e15 + 1 }],
  ])('names a %s that makes no sense: %j', async (field, wanted) => {
    expect(await create('ada', wanted)).toMatchObject({
      code: 'invalid_request',
      text: expect.stringMatching(`^Invalid ${field}: must `),
    });
    expect(await store.listKeys('ada')).toEqual([]);
  });

  it('makes at most 20 live keys a user, however many are asked for at once', async () => {
    const results = await Promise.all(Array.from({ length: 30 }, () => create()));
    expect(results.filter(isRefusal)).toHaveLength(10);
    expect(await liveKeys()).toBe(20);
    expect(isRefusal(await create('bob'))).toBe(false);
  });

  it('rotates each of 20 keys with an overlap, and no more until one of the old ones has ended', async () => {
    const rotate = (keyId: string, overlapMs: number) => rotateKey(deps, { userId: 'ada', keyId, overlapMs });
    const successors = [];
    for (const keyId of await fill()) successors.push((await made(rotate(keyId, HOUR_MS))).record.keyId);
    expect(await liveKeys()).toBe(40);
    const [first = ''] = successors;
    expect(await rotate(first, HOUR_MS)).toMatchObject({
      text: 'Too many keys: at most 20 may be live at a time beside as many that were rotated and work on: rotate it without overlap',
    });
    expect(await create()).toMatchObject({ text: 'Too many keys: at most 20 may be live at a time' });
    await clock.advance(HOUR_MS);
    expect(await liveKeys()).toBe(20);
    expect(isRefusal(await rotate(first, HOUR_MS))).toBe(false);
  });

  it('hands name, expiry and limits on, and never lengthens the life of the key that is replaced', async () => {
    const limits = { models: ['gpt-*'], endpoints: ['models'], requestsPerMinute: 3, budgetNanoUsd: 7 } as const;
    const expiresAtMs = clock.nowMs() + HOUR_MS;
    const { record } = await made(create('ada', { name: 'ci', expiresAtMs, ...limits }));
    const next = await made(rotateKey(deps, { ...record, overlapMs: 24 * HOUR_MS }));
    expect(next.record).toMatchObject({ name: 'ci', expiresAtMs, ...limits });
    expect(await store.findKey(record.keyId)).toMatchObject({ expiresAtMs, replacedBy: next.record.keyId });
  });

  it('takes requests a minute up to the limit of a user, and hands them on when that was lowered since', async () => {
    const wanted = { userId: 'ada', name: 'k', requestsPerMinute: 50 };
    const { record } = await made(createKey({ ...deps, requestsPerMinute: 50 }, wanted));
    expect(await createKey({ ...deps, requestsPerMinute: 49 }, wanted)).toMatchObject({
      text: 'Invalid requestsPerMinute: must be an integer from 1 to 49, which is the limit of a user',
    });
    const next = await made(rotateKey({ ...deps, requestsPerMinute: 10 }, { ...record, overlapMs: 0 }));
    expect(next.record.requestsPerMinute).toBe(50);
  });

  it('gives the same answer for the key of another user as for none, and leaves it alone', async () => {
    const { record } = await made(create('bob'));
    const named = (refusal: Refusal | CreatedKey | undefined, keyId: string) =>
      JSON.stringify(refusal).replace(keyId, 'ID');
    for (const act of [
      (keyId: string) => rotateKey(deps, { userId: 'ada', keyId, overlapMs: 0 }),
      (keyId: string) => revokeKey(deps, { userId: 'ada', keyId }),
    ]) {
      const [foreign, unknown] = [await act(record.keyId), await act('key_none')];
      expect(isRefusal(foreign)).toBe(true);
      expect(named(foreign, record.keyId)).toBe(named(unknown, 'key_none'));
    }
    expect(await store.findKey(record.keyId)).toEqual(record);
    expect(await store.listKeys('ada')).toEqual([]);
  });

  it('records who did what to which key, and nothing by which a key could be guessed', async () => {
    const limits = { models: ['gpt-*', 'o3'], requestsPerMinute: 3 };
    const first = await made(create('ada', { name: 'ci', ...limits }));
    const second = await made(rotateKey({ ...deps, actor: 'cli' }, { ...first.record, overlapMs: HOUR_MS }));
    await revokeKey(deps, second.record);
    await revokeKey(deps, { userId: 'ada', keyId: 'key_none' });
    const acts = await store.listActs({ sinceMs: 0, max: 99 });
    const worksUntil = new Date(clock.nowMs() + HOUR_MS).toISOString();
    const { keyId: successor } = second.record;
    const shared = { atMs: clock.nowMs(), userId: 'ada' };
    expect(acts.toReversed()).toMatchObject([
      {
        ...shared,
        actor: 'user',
        name: 'keys.create',
        target: first.record.keyId,
        details: { name: 'ci', models: 'gpt-*,o3', endpoints: null, requestsPerMinute: 3, expiresAt: null },
      },
      { ...shared, actor: 'cli', name: 'keys.rotate', target: first.record.keyId, details: { successor, worksUntil } },
      { ...shared, actor: 'user', name: 'keys.revoke', target: successor },
    ]);
    const written = JSON.stringify(acts);
    for (const { key, record } of [first, second]) {
      for (const secret of [key, key.slice(7, 20), record.hash]) expect(written).not.toContain(secret);
    }
  });
});
