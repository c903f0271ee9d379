import { fakeClock } from '../../test/support/fake-clock';
import { keyRecord, reservation } from '../../test/support/store-records';
import { isRefusal } from '../errors';
import { generateKey, hashKey } from './api-key';
import { ServerBudget } from './budget';
import { createGuard } from './guard';
import type { KeyLimits, KeyRecord } from './key-store';
import { type Pepper, parsePeppers } from './peppers';
import type { Admission } from './rate-limit';
import type { Subscription } from './subscription';

const [NEW, OLD] = parsePeppers('new,old') as [Pepper, Pepper];
const LIMIT = { name: 'api', max: 30, windowMs: 60_000 } as const;
const PRO = { userId: 'ada', tier: 'pro', status: 'active', sourceUpdatedAtMs: 0 };
const CALLER = { userId: 'ada', keyId: 'key-1', keyName: 'laptop' };
const DENIED: Admission = { admitted: false, waitMs: 1_001 };

/** A guard over one user with one key, made under `pepper`; what the store is asked and what is logged is kept. */
function setup({ pepper = NEW, limits = {} }: { pepper?: Pepper; limits?: KeyLimits } = {}) {
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
      limit: LIMIT,
      blocked: () => (state.blocked ? DENIED : undefined),
      admit: async () => ({ admitted: true, remaining: 29, resetMs: 1 }),
    },
    log: { warn: (...line) => state.warned.push(line) },
  });
  const bearer = `Bearer ${key}`;
  const identify = (limited?: boolean) => guard.identify(bearer, limited);
  return { clock, guard, state, identify, key, bearer };
}

describe('a caller', () => {
  it('costs no read with a key that was never issued', async () => {
    const { guard, state, bearer } = setup();
    const madeUp = ['000000', 'zzzzzz', bearer.slice(7, 13)].map((tag) => bearer.slice(0, -6) + tag);
    const junk = [undefined, 'Bearer x', `${bearer}x`, bearer.slice(0, -1), ...madeUp];
    for (const text of junk) expect(await guard.identify(text)).toMatchObject({ code: 'unauthorized' });
    expect(state.reads).toBe(0);
  });

  it('costs no read while it is known and blocked, unless the request takes no slot', async () => {
    const { state, identify } = setup({ pepper: OLD });
    await identify();
    state.blocked = true;
    expect(await identify()).toMatchObject({ ...CALLER, denial: DENIED });
    expect(state.reads).toBe(1);
    state.key = { ...state.key, status: 'revoked' };
    expect(await identify()).toMatchObject(CALLER);
    // A look-up shows that the key was revoked, and it is known no more.
    expect(await identify(false)).toMatchObject({ code: 'unauthorized' });
    expect(await identify()).toMatchObject({ code: 'unauthorized' });
  });

  it('is refused where it was not looked up, however late its request is decided', async () => {
    const { guard, state, identify } = setup();
    await identify();
    state.blocked = true;
    const caller = await identify();
    if (isRefusal(caller)) throw new Error(caller.text);
    state.blocked = false;
    expect(await guard.admit(caller, reservation('r'))).toMatchObject({
      code: 'rate_limited',
      headers: { 'retry-after': '2', 'x-ratelimit-remaining-requests': '0' },
    });
  });
});

describe('a key made under an older pepper', () => {
  it('is moved to the newest beside its request; a failure is logged, and the next request tries again', async () => {
    const { clock, state, identify, key } = setup({ pepper: OLD });
    const down = new Error('store down');
    state.rehash = () => Promise.reject(down);
    expect(await identify()).toMatchObject(CALLER);
    await clock.advance(0);
    expect(state.warned).toEqual([['rehash failed', { keyId: 'key-1' }, down]]);
    state.rehash = async () => true;
    expect(await identify()).toMatchObject(CALLER);
    const move = [hashKey(key, OLD), { hash: hashKey(key, NEW), pepperVersion: NEW.version }];
    expect(state.rehashed).toEqual([move, move]);
  });
});

describe('the use of a key', () => {
  it('is noted at most once a minute and process, and not where another process has noted it', async () => {
    const { clock, state, identify } = setup();
    const startMs = clock.nowMs();
    await identify();
    await clock.advance(59_999);
    await identify(false);
    expect(state.uses).toEqual([[state.key.hash, startMs]]);
    await clock.advance(1);
    state.key = { ...state.key, lastUsedAtMs: startMs + 1 };
    await identify();
    expect(state.uses).toHaveLength(1);
    await clock.advance(1);
    await identify();
    expect(state.uses.at(-1)).toEqual([state.key.hash, startMs + 60_001]);
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
