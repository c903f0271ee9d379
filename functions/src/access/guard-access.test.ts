import { fakeClock } from '../../test/support/fake-clock';
import { keyRecord } from '../../test/support/store-records';
import { generateKey, hashKey, type Pepper, parsePeppers } from './api-key';
import { createGuard } from './guard';
import type { KeyLimits, KeyRecord } from './key-store';
import { ServerBudget } from './server-budget';
import type { Subscription } from './subscription';

const [NEW, OLD] = parsePeppers('new,old') as [Pepper, Pepper];
const PRO = { userId: 'ada', tier: 'pro', status: 'active', sourceUpdatedAtMs: 0 };
const CALLER = { userId: 'ada', keyId: 'key-1', keyName: 'laptop' };

interface Setup {
  /** The pepper the user's key was made under. */
  readonly pepper?: Pepper;
  readonly limits?: KeyLimits & { expiresAtMs?: number };
}

/** A guard over one user with one key. What the store is asked to re-hash, and what is logged, is kept. */
function setup({ pepper = NEW, limits = {} }: Setup = {}) {
  const clock = fakeClock();
  const key = generateKey('ens', clock, pepper);
  const state = {
    key: keyRecord('key-1', { hash: hashKey(key, pepper), pepperVersion: pepper.version, ...limits }) as KeyRecord,
    subscription: { ...PRO, budgetNanoUsd: 0 } as Subscription,
    reads: 0,
    blocked: false,
    rehashed: [] as unknown[],
    uses: [] as unknown[],
    warned: [] as unknown[],
    rehash: async (): Promise<boolean> => true,
    noteUse: async (): Promise<void> => undefined,
  };
  const guard = createGuard({
    clock,
    peppers: [NEW, OLD],
    keyPrefix: 'ens',
    store: {
      readAccess: async (hashes) => {
        state.reads += 1;
        return hashes.includes(state.key.hash) ? { key: state.key, subscription: state.subscription } : undefined;
      },
      rehashKey: (...args) => {
        state.rehashed.push(args);
        return state.rehash();
      },
      noteKeyUse: (...args) => {
        state.uses.push(args);
        return state.noteUse();
      },
      listTagKeys: async () => [],
    },
    serverBudget: new ServerBudget({ readServerSpend: async () => undefined }, clock),
    limiter: {
      limit: { name: 'api', max: 30, windowMs: 60_000 },
      blocked: () => (state.blocked ? { admitted: false, waitMs: 1 } : undefined),
      admit: async () => ({ admitted: true, remaining: 29, resetMs: 1 }),
    },
    log: { warn: (...line) => state.warned.push(line) },
  });
  const identify = (limited?: boolean) => guard.identify(`Bearer ${key}`, limited);
  return { clock, guard, state, identify, key };
}

describe('who calls', () => {
  it('is told by key and subscription: limits of the one, budget of the other', async () => {
    const { state, identify } = setup({ limits: { requestsPerMinute: 5 } });
    expect(await identify()).toStrictEqual({ ...CALLER, limits: { requestsPerMinute: 5 }, budgetNanoUsd: 0 });
    state.subscription = PRO;
    expect(await identify()).toStrictEqual({ ...CALLER, limits: { requestsPerMinute: 5 } });
  });

  it('gets a 403 without an active Pro subscription, and is looked up again each time', async () => {
    const { state, identify } = setup();
    await identify();
    state.subscription = { ...PRO, status: 'canceled' };
    expect(await identify()).toMatchObject({ code: 'no_subscription' });
    state.blocked = true;
    expect(await identify()).toMatchObject({ code: 'no_subscription' });
    expect(state.reads).toBe(3);
  });

  it('gets a 401 for a key that has expired', async () => {
    const clock = fakeClock();
    const { identify } = setup({ limits: { expiresAtMs: clock.nowMs() } });
    expect(await identify()).toMatchObject({ code: 'unauthorized' });
  });
});

describe('a caller with an empty bucket', () => {
  it('gets a 429, and is looked up once at most', async () => {
    const { clock, guard, state, identify } = setup();
    for (let count = 0; count < 120; count += 1) guard.count(CALLER);
    expect(await identify()).toMatchObject({ code: 'rate_limited', headers: { 'retry-after': '1' } });
    expect(await identify(false)).toMatchObject({ code: 'rate_limited' });
    expect(state.reads).toBe(1);
    await clock.advance(500);
    expect(await identify()).toMatchObject(CALLER);
    expect(state.reads).toBe(2);
  });
});

describe('a key made under an older pepper', () => {
  it('is moved to the newest when it is used, beside the request', async () => {
    const { state, identify, key } = setup({ pepper: OLD });
    expect(await identify()).toMatchObject(CALLER);
    expect(state.rehashed).toEqual([[hashKey(key, OLD), { hash: hashKey(key, NEW), pepperVersion: NEW.version }]]);
    expect(state.warned).toEqual([]);
  });

  it('is left alone where it is under the newest already', async () => {
    const { state, identify } = setup();
    await identify();
    expect(state.rehashed).toEqual([]);
  });

  it('works on when it cannot be moved: that is logged, and tried again with its next request', async () => {
    const { clock, state, identify } = setup({ pepper: OLD });
    const down = new Error('store down');
    state.rehash = () => Promise.reject(down);
    expect(await identify()).toMatchObject(CALLER);
    await clock.advance(0);
    expect(state.warned).toEqual([['rehash failed', { keyId: 'key-1' }, down]]);
    state.rehash = async () => true;
    expect(await identify()).toMatchObject(CALLER);
    expect(state.rehashed).toHaveLength(2);
  });

  it('is known to be blocked by whichever pepper it was found under', async () => {
    const { state, identify } = setup({ pepper: OLD });
    await identify();
    state.blocked = true;
    expect(await identify()).toMatchObject({ ...CALLER, denial: { admitted: false, waitMs: 1 } });
    expect(state.reads).toBe(1);
  });
});

describe('the use of a key', () => {
  it('is noted beside its request, at most once a minute and process, whatever the store still says', async () => {
    const { clock, state, identify } = setup();
    const startMs = clock.nowMs();
    await identify();
    await clock.advance(59_999);
    await identify(false);
    expect(state.uses).toEqual([[state.key.hash, startMs]]);
    await clock.advance(1);
    await identify(false);
    expect(state.uses).toEqual([
      [state.key.hash, startMs],
      [state.key.hash, startMs + 60_000],
    ]);
  });

  it('is not noted again where another process has done so within the minute', async () => {
    const { clock, state, identify } = setup();
    state.key = { ...state.key, lastUsedAtMs: clock.nowMs() - 59_999 };
    await identify();
    expect(state.uses).toEqual([]);
    await clock.advance(1);
    await identify();
    expect(state.uses).toHaveLength(1);
  });

  it('is nothing of a key that works no more, or of a user without a subscription', async () => {
    const { state, identify } = setup();
    state.subscription = { ...PRO, status: 'canceled' };
    await identify();
    state.subscription = PRO;
    state.key = { ...state.key, status: 'revoked' };
    await identify();
    expect(state.uses).toEqual([]);
  });

  it('does not hold up its request, nor fail it where it cannot be noted', async () => {
    const { state, identify } = setup();
    const store = Promise.withResolvers<void>();
    state.noteUse = () => store.promise;
    expect(await identify()).toMatchObject({ keyId: 'key-1' });
    store.reject(new Error('down'));
    await identify();
    expect(state.warned).toEqual([['use of a key not noted', { keyId: 'key-1' }, new Error('down')]]);
  });
});
