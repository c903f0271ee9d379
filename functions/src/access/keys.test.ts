import { fakeClock } from '../../test/support/fake-clock';
import { temporaryDirectory } from '../../test/support/temporary-directory';
import { isRefusal, type Refusal } from '../errors';
import { openEmbeddedStore } from '../store/embedded/embedded-store';
import type { Store } from '../store/store';
import { limitFlaw } from './key-limits';
import { type CreatedKey, createKey, type KeyDeps, type NewKey, revokeKey, rotateKey, userFlaw } from './keys';
import { parsePeppers } from './peppers';

const HOUR_MS = 3_600_000;

it.each<[field: string, wanted: Parameters<typeof limitFlaw>[0]]>([
  ['expiresAt', { expiresAtMs: 1_000 }],
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
])('a %s that makes no sense is named: %j', (field, wanted) => {
  const terms = { nowMs: 1_000, requestsPerMinuteMax: 30 };
  expect(limitFlaw(wanted, terms)?.text).toMatch(`Invalid ${field}: must `);
});

it.each([' ', 'u'.repeat(201), 'u\udc00', 'u\u0000', 'two\nlines'])('no user is called %j', (userId) => {
  expect(userFlaw(userId)?.text).toMatch('Invalid user: must ');
});

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

  it.each([
    ['pro', 'canceled'],
    ['byok', 'active'],
  ])('makes and rotates no key for a user whose subscription is %s, %s', async (tier, status) => {
    const { record } = await made(create());
    await subscribe('ada', status, tier);
    expect(await create()).toMatchObject({ code: 'no_subscription' });
    expect(await rotateKey(deps, { ...record, overlapMs: 0 })).toMatchObject({ code: 'no_subscription' });
    expect(await store.listKeys('ada')).toHaveLength(1);
  });

  it('hands name, expiry and limits on, also where those are above what is allowed now, and lengthens no life', async () => {
    const limits = { models: ['gpt-*'], endpoints: ['models'], requestsPerMinute: 50, budgetNanoUsd: 7 } as const;
    const wanted = { userId: 'ada', name: 'ci', expiresAtMs: clock.nowMs() + HOUR_MS, ...limits };
    const { record } = await made(createKey({ ...deps, requestsPerMinute: 50 }, wanted));
    const next = await made(rotateKey(deps, { ...record, overlapMs: 24 * HOUR_MS }));
    const { expiresAtMs } = wanted;
    expect(next.record).toMatchObject({ name: 'ci', expiresAtMs, ...limits });
    expect(await store.findKey(record.keyId)).toMatchObject({ expiresAtMs, replacedBy: next.record.keyId });
  });

  it('gives the same answer for the key of another user as for none, and leaves it alone', async () => {
    const { record } = await made(create('bob'));
    for (const act of [
      (keyId: string) => rotateKey(deps, { userId: 'ada', keyId, overlapMs: 0 }),
      (keyId: string) => revokeKey(deps, { userId: 'ada', keyId }),
    ]) {
      const [foreign, unknown] = [await act(record.keyId), await act('key_none')].map((word) => JSON.stringify(word));
      expect(foreign?.replace(record.keyId, 'key_none')).toBe(unknown);
      expect(unknown).toContain('"code":"invalid_request"');
    }
    expect(await store.findKey(record.keyId)).toEqual(record);
  });

  it('records who did what to which key, and nothing by which a key could be guessed', async () => {
    const first = await made(create('ada', { name: 'ci', models: ['gpt-*', 'o3'], requestsPerMinute: 3 }));
    const second = await made(rotateKey({ ...deps, actor: 'cli' }, { ...first.record, overlapMs: HOUR_MS }));
    await revokeKey(deps, second.record);
    await revokeKey(deps, { userId: 'ada', keyId: 'key_none' });
    const acts = (await store.listActs({ sinceMs: 0, max: 99 })).toReversed();
    const { keyId: successor } = second.record;
    expect(acts.map(({ actor, name, target }) => [actor, name, target])).toEqual([
      ['user', 'keys.create', first.record.keyId],
      ['cli', 'keys.rotate', first.record.keyId],
      ['user', 'keys.revoke', successor],
    ]);
    const worksUntil = new Date(clock.nowMs() + HOUR_MS).toISOString();
    expect(acts.map(({ details }) => details)).toMatchObject([
      { name: 'ci', models: 'gpt-*,o3', endpoints: null, requestsPerMinute: 3, expiresAt: null },
      { successor, worksUntil },
      {},
    ]);
    const written = JSON.stringify(acts);
    for (const { key, record } of [first, second]) {
      for (const secret of [key, key.slice(7, 20), record.hash]) expect(written).not.toContain(secret);
    }
  });
});
