import fc from '../../test/support/properties';
import { admitAll, type LogEntry, type RateLimit, retryAfterSeconds } from './rate-limit';

const WINDOW_MS = 60_000;
const T0 = Date.UTC(2026, 0, 1);
const SKEW_MS = 2_000;

function limitOf(max: number): RateLimit {
  return { name: 'api', max, windowMs: WINDOW_MS };
}

function entries(...times: number[]): LogEntry[] {
  return times.map((t, index) => ({ t: T0 + t, r: `old-${index}` }));
}

/** Requests of one key, without bounds of their own. */
function asking(...ids: readonly string[]) {
  return ids.map((requestId) => ({ requestId, keyId: 'k', month: '2026-01' }));
}

describe('admitAll', () => {
  it('admits up to the limit and tells what is left and when the oldest entry leaves', () => {
    const { log, admissions } = admitAll(entries(0), asking('a', 'b', 'c'), { limit: limitOf(3), nowMs: T0 + 1_000 });
    expect(admissions).toEqual([
      { admitted: true, remaining: 1, resetMs: 59_000 },
      { admitted: true, remaining: 0, resetMs: 59_000 },
      { admitted: false, waitMs: 59_000 },
    ]);
    expect(log).toEqual([...entries(0), { t: T0 + 1_000, r: 'a' }, { t: T0 + 1_000, r: 'b' }]);
  });

  it('denies 59,999 ms after a full log began and admits at 60,000', () => {
    const full = entries(0, 1, 2);
    const at = (ms: number) => admitAll(full, asking('x'), { limit: limitOf(3), nowMs: T0 + ms });
    expect(at(59_999).admissions).toEqual([{ admitted: false, waitMs: 1 }]);
    expect(at(60_000).admissions).toEqual([{ admitted: true, remaining: 0, resetMs: 1 }]);
    expect(at(60_000).log.map(({ t }) => t - T0)).toEqual([1, 2, 60_000]);
  });

  it('admits a logged request again without a second entry, even when the log is full', () => {
    const full = entries(0, 10);
    const again = admitAll(full, asking('old-1', 'new', 'old-0'), { limit: limitOf(2), nowMs: T0 + 100 });
    expect(again.admissions.map(({ admitted }) => admitted)).toEqual([true, false, true]);
    expect(again.log).toEqual(full);
    const twice = admitAll([], asking('r', 'r'), { limit: limitOf(2), nowMs: T0 });
    expect(twice.log).toEqual([{ t: T0, r: 'r' }]);
  });

  it('takes its newest entry for now when the caller is behind it', () => {
    const { log, admissions } = admitAll(entries(2_000), asking('a', 'b'), { limit: limitOf(2), nowMs: T0 });
    expect(log.at(-1)).toEqual({ t: T0 + 2_000, r: 'a' });
    expect(admissions[1]).toEqual({ admitted: false, waitMs: 60_000 });
  });

  it('waits for as many slots as must free when the limit was lowered', () => {
    const { admissions } = admitAll(entries(0, 100, 200, 300), asking('x'), { limit: limitOf(2), nowMs: T0 + 300 });
    expect(admissions).toEqual([{ admitted: false, waitMs: 59_900 }]);
    const retry = admitAll(entries(0, 100, 200, 300), asking('x'), { limit: limitOf(2), nowMs: T0 + 60_200 });
    expect(retry.admissions[0]?.admitted).toBe(true);
  });

  it('has no next reset where nothing is logged and nothing may be', () => {
    const { log, admissions } = admitAll([], asking('x'), { limit: limitOf(0), nowMs: T0 });
    expect(log).toEqual([]);
    expect(admissions).toEqual([{ admitted: false, waitMs: 60_000 }]);
  });

  it('leaves the log it was given untouched', () => {
    const given = Object.freeze(entries(0));
    admitAll(given, asking('a'), { limit: limitOf(5), nowMs: T0 + WINDOW_MS });
    expect(given).toEqual(entries(0));
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 0.5])('refuses a clock that says %d', (nowMs) => {
    const decide = () => admitAll([], asking('a'), { limit: limitOf(5), nowMs });
    expect(decide).toThrow(new RangeError(`not a moment in milliseconds: ${nowMs}`));
  });
});

describe('retryAfterSeconds', () => {
  it.each([
    [1, 1],
    [0, 1],
    [-5, 1],
    [1_000, 1],
    [1_001, 2],
    [59_001, 60],
    [60_000, 60],
    [61_500, 60],
  ])('turns a wait of %d ms into %d s', (waitMs, seconds) => {
    expect(retryAfterSeconds(waitMs, WINDOW_MS)).toBe(seconds);
  });
});

/** One request: how long after the one before it arrives, at a process whose clock is off by `skewMs`. */
interface Arrival {
  readonly gapMs: number;
  readonly skewMs: number;
  readonly again: boolean;
}

interface Decided {
  readonly realMs: number;
  /** The limiter's own time of the entry. */
  readonly t: number;
}

const gap = fc.oneof(
  fc.constant(0),
  fc.nat(500),
  fc.nat(5_000),
  fc.constantFrom(59_999, 60_000, 60_001),
  fc.nat(90_000),
);
const arrivals = fc.array(
  fc.record({
    gapMs: gap,
    skewMs: fc.integer({ min: -SKEW_MS, max: SKEW_MS }),
    again: fc.boolean(),
  }),
  { maxLength: 120 },
);
const limits = fc.integer({ min: 1, max: 12 }).map(limitOf);

/** Runs the arrivals through the limiter; repeats some admitted ids at once, as a retried commit would. */
function simulate(limit: RateLimit, requests: readonly Arrival[]) {
  let log: LogEntry[] = [];
  let realMs = T0;
  const admitted: Decided[] = [];
  const denials: { log: LogEntry[]; nowMs: number; waitMs: number }[] = [];
  const expected: boolean[] = [];
  const actual: boolean[] = [];
  for (const [index, { gapMs, skewMs, again }] of requests.entries()) {
    realMs += gapMs;
    const nowMs = realMs + skewMs;
    const now = Math.max(nowMs, admitted.at(-1)?.t ?? nowMs);
    expected.push(admitted.filter(({ t }) => t > now - WINDOW_MS).length < limit.max);
    const decision = admitAll(log, asking(`r${index}`), { limit, nowMs });
    const [word] = decision.admissions;
    actual.push(word?.admitted === true);
    if (word?.admitted) {
      admitted.push({ realMs, t: now });
      log = again ? admitAll(decision.log, asking(`r${index}`), { limit, nowMs }).log : decision.log;
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
  it('admits exactly what a full history of all admissions would admit', () => {
    fc.assert(
      fc.property(limits, arrivals, (limit, requests) => {
        const { expected, actual } = simulate(limit, requests);
        expect(actual).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('never lets more than the limit into any 60 s of its own time, nor into any 56 s of real time', () => {
    fc.assert(
      fc.property(limits, arrivals, (limit, requests) => {
        const { admitted } = simulate(limit, requests);
        expect(
          worstWindow(
            admitted.map(({ t }) => t),
            WINDOW_MS,
          ),
        ).toBeLessThanOrEqual(limit.max);
        const real = admitted.map(({ realMs }) => realMs);
        expect(worstWindow(real, WINDOW_MS - 2 * SKEW_MS)).toBeLessThanOrEqual(limit.max);
      }),
      { numRuns: 300 },
    );
  });

  it('admits a lone retry after Retry-After, in 1 to 60 s, and none before the slot frees', () => {
    fc.assert(
      fc.property(limits, arrivals, (limit, requests) => {
        for (const { log, nowMs, waitMs } of simulate(limit, requests).denials) {
          const seconds = retryAfterSeconds(waitMs, limit.windowMs);
          expect(seconds).toBeGreaterThanOrEqual(1);
          expect(seconds).toBeLessThanOrEqual(60);
          const at = (moment: number) =>
            admitAll(log, asking('retry'), { limit, nowMs: moment }).admissions[0]?.admitted;
          expect([at(nowMs + seconds * 1_000), at(nowMs + waitMs), at(nowMs + waitMs - 1)]).toEqual([
            true,
            true,
            false,
          ]);
        }
      }),
      { numRuns: 300 },
    );
  });
});
