import { Timestamp } from '@google-cloud/firestore';
import { admitAll } from '../../access/rate-limit';
import { onServerTime } from './rate-log';

const LIMIT = { name: 'api', max: 2, windowMs: 60_000 } as const;
/** A moment `us` microseconds after the one all these tests count from. */
const at = (us: number) => new Timestamp(1_800_000_000 + Math.floor(us / 1e6), (us % 1e6) * 1_000);
const BASE_MS = 1_800_000_000_000;

describe('the limiter on the time of the database', () => {
  it('counts the newest batch from the moment it was committed and leaves the older ones alone', () => {
    const entries = [
      { t: BASE_MS + 1, r: 'a' },
      { t: BASE_MS + 7, r: 'b' },
      { t: BASE_MS + 7, r: 'c' },
    ];
    const input = onServerTime({ entries, updateTime: at(9_900), readTime: at(20_100) }, LIMIT);
    expect(input.entries.map(({ t }) => t - BASE_MS)).toEqual([1, 9, 9]);
    expect(input.terms.nowMs).toBe(BASE_MS + 20);
  });

  it('starts with an empty log where there is none', () => {
    const input = onServerTime({ entries: [], updateTime: undefined, readTime: at(0) }, LIMIT);
    expect(input).toMatchObject({ entries: [], terms: { nowMs: BASE_MS } });
  });

  it('frees no slot before the window has passed to the microsecond', () => {
    const entries = [
      { t: BASE_MS, r: 'a' },
      { t: BASE_MS, r: 'b' },
    ];
    const admittedWhenReadAt = (readUs: number) => {
      const input = onServerTime({ entries, updateTime: at(999), readTime: at(readUs) }, LIMIT);
      return admitAll(input.entries, [{ requestId: 'c', keyId: 'k', month: '2026-01' }], input.terms).admissions[0]
        ?.admitted;
    };
    // Committed at 0.999 ms; read at 60,000.000 ms, which is too early though both are millisecond 0 and 60,000.
    expect(admittedWhenReadAt(60_000_000)).toBe(false);
    expect(admittedWhenReadAt(60_000_999)).toBe(false);
    expect(admittedWhenReadAt(60_001_000)).toBe(true);
  });
});
