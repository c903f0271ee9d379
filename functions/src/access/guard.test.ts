import { fakeClock } from '../../test/support/fake-clock';
import { isRefusal } from '../errors';
import { parsePeppers } from './api-key';
import { createGuard } from './guard';
import type { Access, KeyRecord } from './key-store';
import { createKey } from './keys';
import type { Admission } from './rate-limit';
import { ServerBudget } from './server-budget';

const DENIED: Admission = { admitted: false, waitMs: 1_001 };
const PRO = { userId: 'alice', tier: 'pro', status: 'active', sourceUpdatedAtMs: 0 };
const TIMES = { startedAtMs: 0, leaseUntilMs: 0, month: '2026-01', calls: null };
const RESERVATION = { requestId: 'r', userId: 'alice', keyId: 'k', keyName: 'k', endpoint: 'e', ...TIMES };

/** A guard over one user with one key; `reads` counts look-ups, `blocked` is what the limiter says. */
async function setup({ expiresInMs }: { expiresInMs?: number } = {}) {
  const clock = fakeClock();
  const peppers = parsePeppers('pepper');
  const keys: KeyRecord[] = [];
  const state = { reads: 0, blocked: false };
  const keyStore = {
    insertKey: async (record: KeyRecord) => {
      keys.push(record);
      return 'inserted' as const;
    },
    findKey: async () => undefined,
    listKeys: async () => [],
    updateKey: async () => true,
    getSubscription: async () => PRO,
  };
  const created = await createKey(
    { store: keyStore, clock, keyPrefix: 'ens', peppers },
    { userId: 'alice', name: 'k', expiresAtMs: expiresInMs === undefined ? null : clock.nowMs() + expiresInMs },
  );
  if (isRefusal(created)) throw new Error(created.text);
  const guard = createGuard({
    clock,
    peppers,
    keyPrefix: 'ens',
    store: {
      readAccess: async (hashes): Promise<Access | undefined> => {
        state.reads += 1;
        const key = keys.find(({ hash }) => hashes.includes(hash));
        return key && { key, subscription: PRO };
      },
      rehashKey: async () => true,
      noteKeyUse: async () => undefined,
      listTagKeys: async () => [],
    },
    serverBudget: new ServerBudget({ readServerSpend: async () => undefined }, clock),
    limiter: {
      limit: { name: 'api', max: 30, windowMs: 60_000 },
      blocked: () => (state.blocked ? DENIED : undefined),
      admit: async (): Promise<Admission> => ({ admitted: true, remaining: 29, resetMs: 1_001 }),
    },
  });
  return { guard, state, clock, keys, keyId: created.record.keyId, bearer: `Bearer ${created.key}` };
}

describe('the guard', () => {
  it('reads nothing for a key that cannot be ours', async () => {
    const { guard, state, bearer } = await setup();
    for (const junk of [undefined, 'Bearer x', `${bearer}x`, bearer.slice(0, -1)]) await guard.identify(junk);
    expect(state.reads).toBe(0);
  });

  it('reads the key and subscription of every request', async () => {
    const { guard, state, bearer } = await setup();
    await guard.identify(bearer);
    await guard.identify(bearer);
    expect(state.reads).toBe(2);
  });

  it('reads nothing for a caller who is known and blocked, unless the request takes no slot', async () => {
    const { guard, state, bearer } = await setup();
    await guard.identify(bearer);
    state.blocked = true;
    expect(await guard.identify(bearer)).toMatchObject({ userId: 'alice', keyName: 'k' });
    expect(state.reads).toBe(1);
    await guard.identify(bearer, false);
    expect(state.reads).toBe(2);
  });

  it('gives a blocked caller a 401 once a look-up has shown that the key was revoked', async () => {
    const { guard, state, keys, bearer } = await setup();
    await guard.identify(bearer);
    state.blocked = true;
    keys.splice(0, 1, ...keys.map((key) => ({ ...key, status: 'revoked' as const })));
    expect(await guard.identify(bearer)).toMatchObject({ userId: 'alice' });
    // A request that takes no slot is looked up.
    expect(await guard.identify(bearer, false)).toMatchObject({ code: 'unauthorized' });
    expect(await guard.identify(bearer)).toMatchObject({ code: 'unauthorized' });
  });

  it('looks nothing up for a key with a made-up tag', async () => {
    const { guard, state, bearer } = await setup();
    for (const tag of ['000000', 'zzzzzz', bearer.slice(7, 13)]) await guard.identify(bearer.slice(0, -6) + tag);
    expect(state.reads).toBe(0);
  });

  it('does not take a caller for known whose key it has never seen work', async () => {
    const { guard, state, keys, bearer } = await setup();
    state.blocked = true;
    keys.length = 0;
    expect(await guard.identify(bearer)).toMatchObject({ code: 'unauthorized' });
    expect(state.reads).toBe(1);
  });

  it('refuses a caller it did not look up, however late the request is decided, with an honest Retry-After', async () => {
    const { guard, state, keys, bearer } = await setup();
    await guard.identify(bearer);
    state.blocked = true;
    const caller = await guard.identify(bearer);
    if (isRefusal(caller)) throw new Error(caller.text);
    keys.length = 0;
    state.blocked = false;
    expect(await guard.admit(caller, RESERVATION)).toMatchObject({
      code: 'rate_limited',
      headers: { 'retry-after': '2', 'x-ratelimit-remaining-requests': '0' },
    });
    expect(await guard.identify(bearer)).toMatchObject({ code: 'unauthorized' });
  });

  it('tells an admitted caller what is left', async () => {
    const { guard, bearer } = await setup();
    const caller = await guard.identify(bearer);
    if (isRefusal(caller)) throw new Error(caller.text);
    expect(await guard.admit(caller, RESERVATION)).toEqual({
      headers: {
        'x-ratelimit-limit-requests': '30',
        'x-ratelimit-remaining-requests': '29',
        'x-ratelimit-reset-requests': '2s',
      },
    });
  });
});
