import fc from '../../test/support/properties';
import { admitAll, type LogEntry, type RateLimit, retryAfterSeconds } from './rate-limit';

const WINDOW_MS = 60_000;
const T0 = Date.UTC(2026, 0, 1);
const SKEW_MS = 2_000;

const limitOf = (max: number): RateLimit => ({ name: 'api', max, windowMs: WINDOW_MS });
const asking = (requestId: string, change: object = {}) => ({ requestId, keyId: 'k', month: '2026-01', ...change });
const spends = new Map([['2026-01', { userNanoUsd: 100, keysNanoUsd: new Map() }]]);

describe('admitAll', () => {
  it('waits for as many slots as must free when the limit was lowered, and leaves the log it was given untouched', () => {
    const log = Object.freeze([0, 100, 200, 300].map((t, index) => ({ t: T0 + t, r: `old-${index}` })));
    const at = (nowMs: number) => admitAll(log, [asking('x')], { limit: limitOf(2), nowMs }).admissions[0];
    expect(at(T0 + 300)).toEqual({ admitted: false, waitMs: 59_900 });
    expect(at(T0 + 60_200)).toMatchObject({ admitted: true });
  });

  it('admits a logged request again, without a second entry, though log and budget are full', () => {
    const full = [
      { t: T0, r: 'old-0' },
      { t: T0 + 10, r: 'old-1' },
    ];
    const requests = ['old-1', 'new', 'old-0'].map((id) => asking(id, { budgets: { userNanoUsd: 100 } }));
    const again = admitAll(full, requests, { limit: limitOf(2), nowMs: T0 + 100, spends });
    expect(again.admissions.map(({ admitted }) => admitted)).toEqual([true, false, true]);
    expect(again.log).toEqual(full);
    expect(admitAll([], [asking('r'), asking('r')], { limit: limitOf(2), nowMs: T0 }).log).toHaveLength(1);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 0.5])('refuses a clock that says %d', (nowMs) => {
    const decide = () => admitAll([], [asking('a')], { limit: limitOf(5), nowMs });
    expect(decide).toThrow(new RangeError(`not a moment in milliseconds: ${nowMs}`));
  });

  it('decides by the limit of the user, then of the key, then by the budgets', () => {
    const full = [{ t: T0, r: 'old', k: 'k' }];
    const request = asking('r', { keyMax: 1, budgets: { userNanoUsd: 100 } });
    const decide = (log: LogEntry[], max: number) =>
      admitAll(log, [request], { limit: limitOf(max), nowMs: T0 + 1, spends }).admissions[0];
    expect(decide(full, 1)).toEqual({ admitted: false, waitMs: 59_999 });
    expect(decide(full, 30)).toEqual({ admitted: false, waitMs: 59_999, ofKey: true });
    expect(decide([], 30)).toEqual({
      admitted: false,
      usedUp: { owner: 'user', month: '2026-01', budgetNanoUsd: 100 },
    });
  });

  it.each([
    [3, { admitted: true, remaining: 0, resetMs: 59_900 }],
    [2, { admitted: false, waitMs: 59_900, ofKey: true }],
    [1, { admitted: false, waitMs: 59_930, ofKey: true }],
  ])('counts for a key of at most %d only the entries that carry it', (keyMax, admission) => {
    const log = [
      { t: T0, r: 'a', k: 'k' },
      { t: T0 + 10, r: 'b' },
      { t: T0 + 20, r: 'c', k: 'other' },
      { t: T0 + 30, r: 'd', k: 'k' },
    ];
    const terms = { limit: limitOf(30), nowMs: T0 + 100 };
    expect(admitAll(log, [asking('r', { keyMax })], terms).admissions).toEqual([admission]);
  });
});

/** One request: how long after the one before it arrives, at a process whose clock is off by `skewMs`. */
interface Arrival {
  readonly gapMs: number;
  readonly skewMs: number;
  readonly again: boolean;
}

/** Runs the arrivals through the limiter; repeats some admitted ids at once, as a retried commit would. */
function simulate(limit: RateLimit, requests: readonly Arrival[]) {
  let log: LogEntry[] = [];
  let realMs = T0;
  /** `t`: the limiter's own time of the entry. */
  const admitted: { readonly realMs: number; readonly t: number }[] = [];
  const denials: { log: LogEntry[]; nowMs: number; waitMs: number }[] = [];
  const expected: boolean[] = [];
  const actual: boolean[] = [];
  for (const [index, { gapMs, skewMs, again }] of requests.entries()) {
    realMs += gapMs;
    const nowMs = realMs + skewMs;
    const now = Math.max(nowMs, admitted.at(-1)?.t ?? nowMs);
    expected.push(admitted.filter(({ t }) => t > now - WINDOW_MS).length < limit.max);
    const request = [asking(`r${index}`)];
    const decision = admitAll(log, request, { limit, nowMs });
    const [word] = decision.admissions;
    actual.push(word?.admitted === true);
    if (word?.admitted) {
      admitted.push({ realMs, t: now });
      log = again ? admitAll(decision.log, request, { limit, nowMs }).log : decision.log;
    } else if (word && 'waitMs' in word) {
      denials.push({ ...word, log: [...log], nowMs: now });
    }
  }
  return { admitted, denials, expected, actual };
}

/** Most moments in any half-open window `[x, x + widthMs)`; it is enough to start a window at each moment. */
function worstWindow(moments: readonly number[], widthMs: number): number {
  return Math.max(0, ...moments.map((start) => moments.filter((t) => t >= start && t < start + widthMs).length));
}

describe('the sliding log under any arrivals, with clocks up to 2 s off', () => {
  const gapMs = fc.oneof(
    fc.constant(0),
    fc.nat(500),
    fc.nat(5_000),
    fc.constantFrom(59_999, 60_000, 60_001),
    fc.nat(90_000),
  );
  const skewMs = fc.integer({ min: -SKEW_MS, max: SKEW_MS });
  const arrivals = fc.array(fc.record({ gapMs, skewMs, again: fc.boolean() }), { maxLength: 120 });
  const limits = fc.integer({ min: 1, max: 12 }).map(limitOf);
  const always = (check: (limit: RateLimit, simulated: ReturnType<typeof simulate>) => void) =>
    fc.assert(
      fc.property(limits, arrivals, (limit, requests) => check(limit, simulate(limit, requests))),
      { numRuns: 300 },
    );

  it('admits exactly what a full history of all admissions would admit', () => {
    always((_, { expected, actual }) => expect(actual).toEqual(expected));
  });

  it('never lets more than the limit into any 60 s of its own time, nor into any 56 s of real time', () => {
    always((limit, { admitted }) => {
      const own = admitted.map(({ t }) => t);
      expect(worstWindow(own, WINDOW_MS)).toBeLessThanOrEqual(limit.max);
      const real = admitted.map(({ realMs }) => realMs);
      expect(worstWindow(real, WINDOW_MS - 2 * SKEW_MS)).toBeLessThanOrEqual(limit.max);
    });
  });

  it('admits a lone retry after Retry-After, in 1 to 60 s, and none before the slot frees', () => {
    always((limit, { denials }) => {
      for (const { log, nowMs, waitMs } of denials) {
        const seconds = retryAfterSeconds(waitMs, limit.windowMs);
        expect(seconds).toBeGreaterThanOrEqual(1);
        expect(seconds).toBeLessThanOrEqual(60);
        const at = (moment: number) => admitAll(log, [asking('retry')], { limit, nowMs: moment }).admissions[0];
        const retries = [nowMs + seconds * 1_000, nowMs + waitMs, nowMs + waitMs - 1].map(at);
        expect(retries.map((retry) => retry?.admitted)).toEqual([true, true, false]);
      }
    });
  });
});
