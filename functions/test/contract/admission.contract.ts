import type { Admission, RateLimit } from '../../src/access/rate-limit';
import { callRow, openRow, rateLimit, reservation, settlement, T0 } from '../support/store-records';
import type { CurrentStore } from './store.contract';

/** `AdmissionStore`. */
export function admissionContract(current: CurrentStore): void {
  const admitOne = async (requestId: string, nowMs: number, limit: RateLimit): Promise<Admission | undefined> =>
    (await current().admit(limit, [reservation(requestId, { startedAtMs: nowMs })], nowMs))[0];
  const fill = (limit: RateLimit, nowMs: number) =>
    current().admit(
      limit,
      Array.from({ length: limit.max }, (_, index) => reservation(`fill-${index}`)),
      nowMs,
    );

  it('lets in exactly the limit of 40 requests that come at once, each with its own place', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `r${index}`);
    const words = await Promise.all(ids.map((id) => admitOne(id, T0, rateLimit(30))));
    const places = words.flatMap((word) => (word?.admitted ? [word.remaining] : []));
    expect(places.sort((a, b) => b - a)).toEqual(Array.from({ length: 30 }, (_, index) => 29 - index));
    const records = await Promise.all(ids.map((id) => current().findRecord(id)));
    expect(records.map((record) => record !== undefined)).toEqual(words.map((word) => word?.admitted));
  });

  it('decides a batch in order and says when the oldest slot frees', async () => {
    await admitOne('first', T0, rateLimit(3));
    const batch = ['a', 'b', 'c', 'd'].map((id) => reservation(id));
    expect(await current().admit(rateLimit(3), batch, T0 + 10_000)).toEqual([
      { admitted: true, remaining: 1, resetMs: 50_000 },
      { admitted: true, remaining: 0, resetMs: 50_000 },
      { admitted: false, waitMs: 50_000 },
      { admitted: false, waitMs: 50_000 },
    ]);
  });

  it('opens a ledger record for those let in and leaves no trace of the others', async () => {
    const calls = [openRow('r1.p1'), openRow('r1.p2', { modelId: 'model-b' })];
    const welcome = reservation('welcome', { calls });
    await current().admit(rateLimit(1), [welcome, reservation('turned-away', { calls })], T0);
    expect(await current().findRecord('welcome')).toEqual({ ...welcome, state: 'open' });
    expect(await current().findRecord('turned-away')).toBeUndefined();
    expect(await current().settle(settlement('turned-away', calls))).toBe('missing');
  });

  it('leaves the record of a repeated request as far as it had come', async () => {
    const first = reservation('r', { calls: [openRow('c')] });
    await current().admit(rateLimit(5), [first], T0);
    await current().checkpoint('r', [callRow('c')]);
    await current().admit(rateLimit(5), [first], T0);
    expect((await current().findRecord('r'))?.calls).toEqual([callRow('c')]);
    await current().settle(settlement('r', [callRow('c')]));
    await current().admit(rateLimit(5), [first], T0);
    expect((await current().findRecord('r'))?.state).toBe('settled');
    expect(await current().settle(settlement('r', [callRow('c')]))).toBe('already');
  });

  it('takes a slot but opens no record for a request without calls of its own', async () => {
    const usage = reservation('usage', { calls: null });
    await current().admit(rateLimit(1), [usage], T0);
    expect(await current().findRecord('usage')).toBeUndefined();
    expect(await current().settle(settlement('usage', []))).toBe('missing');
    expect((await admitOne('next', T0, rateLimit(1)))?.admitted).toBe(false);
  });

  it('keeps the plans of one user apart, and one limit over all keys of a plan', async () => {
    await fill(rateLimit(2), T0);
    expect((await admitOne('byok', T0, rateLimit(2, 'byok')))?.admitted).toBe(true);
    const files = await current().admit(rateLimit(1, 'files'), [reservation('byok', { calls: null })], T0);
    expect(files[0]?.admitted).toBe(true);
    const [word] = await current().admit(rateLimit(2), [reservation('k2', { keyId: 'key-2' })], T0);
    expect(word?.admitted).toBe(false);
  });

  it.each([120_000, 3_600_000])(
    'makes nobody wait longer than a window when the clock is set back by %d ms',
    async (byMs) => {
      await fill(rateLimit(3), T0);
      const nowMs = T0 - byMs;
      expect(await admitOne('at once', nowMs, rateLimit(3))).toEqual({ admitted: false, waitMs: 60_000 });
      expect(await admitOne('early', nowMs + 59_999, rateLimit(3))).toEqual({ admitted: false, waitMs: 1 });
      const admitted = { admitted: true, remaining: 2, resetMs: 60_000 };
      expect(await admitOne('in time', nowMs + 60_000, rateLimit(3))).toEqual(admitted);
    },
  );

  it('refuses requests of different users in one batch', async () => {
    const strangers = [reservation('a'), reservation('b', { userId: 'bob' })];
    await expect(current().admit(rateLimit(5), strangers, T0)).rejects.toThrow('different users');
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1, 0.5, 2 ** 53])(
    'refuses a planned call with %d tokens and takes no slot',
    async (promptTokens) => {
      const spoilt = reservation('spoilt', { calls: [openRow('c', { promptTokens })] });
      await expect(current().admit(rateLimit(1), [spoilt], T0)).rejects.toThrow(RangeError);
      expect(await current().findRecord('spoilt')).toBeUndefined();
      expect((await admitOne('next', T0, rateLimit(1)))?.admitted).toBe(true);
    },
  );
}
