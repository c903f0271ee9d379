import { fakeClock } from '../../test/support/fake-clock';
import { callRow, openRow, rateLimit, reservation, settlement, T0 } from '../../test/support/store-records';
import { temporaryDirectory } from '../../test/support/temporary-directory';
import { until } from '../../test/support/until';
import { createLog } from '../lib/log';
import { openEmbeddedStore } from '../store/embedded/embedded-store';
import type { Store } from '../store/store';
import { keepSwept, sweepExpired } from './sweep';

const LEASE_END = T0 + 660_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const AWAY = async () => Promise.reject(new Error('store away'));

describe('a sweep', () => {
  let store: Store;
  let close: () => Promise<void>;
  let lines: string[];
  beforeEach(async () => {
    const directory = await temporaryDirectory();
    store = openEmbeddedStore({ directory: directory.path });
    lines = [];
    close = async () => {
      await store.close();
      await directory.remove();
    };
  });
  afterEach(() => close());

  const log = createLog('info', (line) => lines.push(line));
  const admit = (count: number, change: object = {}, name = 'r') => {
    const calls = [openRow('c', { costNanoUsd: 3 })];
    const ids = Array.from({ length: count }, (_, index) => `${name}${index}`);
    const reservations = ids.map((id) => reservation(id, { calls, ...change }));
    return store.admit(rateLimit(1_000), reservations, T0);
  };
  const parts = (nowMs = LEASE_END + 1, over: Partial<Store> = {}) => {
    return { store: { ...store, ...over }, clock: fakeClock(nowMs), log };
  };
  const written = () => lines.splice(0).map((line) => JSON.parse(line));
  const costOf = async (userId: string) => (await store.readMonths(userId, ['2026-03']))[0]?.costNanoUsd;
  const stateOf = async (requestId: string) => (await store.findRecord(requestId))?.state;

  it('closes calls that never ended as aborted estimates of what they were last written with', async () => {
    const failed = callRow('failed', { outcome: 'failed' });
    await admit(1, { calls: [openRow('done'), openRow('half'), openRow('unstarted'), failed] });
    const half = openRow('half', { completionTokens: 7, costNanoUsd: 70, estimated: false });
    await store.checkpoint('r0', [callRow('done'), half]);
    expect(await sweepExpired(parts())).toBe(1);
    const aborted = { outcome: 'aborted', estimated: true };
    const calls = [callRow('done'), failed, { ...half, ...aborted }, { ...openRow('unstarted'), ...aborted }];
    expect(await store.findRecord('r0')).toMatchObject({ state: 'swept', calls });
    // prompt 4 × 10, completion 20 + 7 + 0 + 20, cost 300 + 70 + 0 + 300
    const sums = { requests: 1, promptTokens: 40, completionTokens: 47, costNanoUsd: 670 };
    expect(await store.readMonths('ada', ['2026-03'])).toMatchObject([sums]);
  });

  it('leaves records alone whose lease has not ended, and settled ones', async () => {
    await admit(2);
    await store.settle(settlement('r1', []));
    expect(await sweepExpired(parts(LEASE_END))).toBe(0);
    expect(lines).toEqual([]);
    expect(await sweepExpired(parts())).toBe(1);
    expect([await stateOf('r0'), await stateOf('r1')]).toEqual(['swept', 'settled']);
  });

  it('counts each of several pages of records once when two run at the same time, eight at a time', async () => {
    await admit(401);
    let [now, most] = [0, 0];
    const settle: Store['settle'] = async (...args) => {
      most = Math.max(most, ++now);
      const outcome = await store.settle(...args);
      now -= 1;
      return outcome;
    };
    const swept = await Promise.all([sweepExpired(parts()), sweepExpired(parts())]);
    expect(swept[0] + swept[1]).toBe(401);
    expect(await costOf('ada')).toBe(1_203);
    await admit(50, {}, 'more');
    await sweepExpired(parts(undefined, { settle }));
    expect(most).toBe(8);
  });

  it('logs how many records it has closed, and how long ago the oldest it came to was begun', async () => {
    await sweepExpired({ ...parts(), tellsEverySweep: true });
    await admit(2, { leaseUntilMs: T0 - 1 });
    await sweepExpired(parts(T0 + 13 * MINUTE_MS));
    expect(written()).toEqual([
      { severity: 'INFO', message: 'swept', records: 0, oldestAgeMs: 0 },
      { severity: 'INFO', message: 'swept', records: 2, oldestAgeMs: 13 * MINUTE_MS },
    ]);
  });

  it('names records an hour after their start that cannot be settled, up to 20, and counts them', async () => {
    const broken = { settle: AWAY, postpone: AWAY };
    await admit(1, { leaseUntilMs: T0 - 1 });
    await expect(sweepExpired(parts(T0 + 59 * MINUTE_MS, broken))).rejects.toThrow(AggregateError);
    expect(written()).toMatchObject([{ message: 'sweep failed', overdue: 0, oldestAgeMs: 59 * MINUTE_MS }]);
    await admit(250, { leaseUntilMs: T0 - 1 });
    await expect(sweepExpired(parts(T0 + HOUR_MS, broken))).rejects.toMatchObject({
      message: '250 expired records could not be settled',
      errors: { length: 10 },
    });
    const failed = written();
    const overdue = { severity: 'ERROR', message: 'ledger record overdue', userId: 'ada', ageMinutes: 60 };
    expect(failed).toMatchObject([...Array(20).fill(overdue), { message: 'sweep failed', overdue: 250 }]);
    expect(new Set(failed.map(({ requestId }) => requestId)).size).toBe(21);
  });

  describe('with records that cannot be settled because their month is full', () => {
    beforeEach(async () => {
      await admit(1, { userId: 'rich' }, 'full');
      const rich = reservation('full0', { userId: 'rich' });
      await store.settle(settlement(rich, [callRow('c', { costNanoUsd: Number.MAX_SAFE_INTEGER })]));
    });
    const stuck = { userId: 'rich', leaseUntilMs: T0 };

    it('settles the others, of all tenants, although 600 that cannot be settled come before them', async () => {
      await admit(600, stuck, 'stuck');
      await admit(300);
      await expect(sweepExpired(parts())).rejects.toThrow('600 expired records could not be settled');
      expect([await costOf('ada'), await costOf('rich')]).toEqual([900, Number.MAX_SAFE_INTEGER]);
    });

    it('tries a record again after half its age, at least two minutes and at most six hours', async () => {
      await admit(1, stuck, 'stuck');
      const clock = fakeClock(T0 + 1);
      const triesUntil = async (untilMs: number) => {
        const tries: number[] = [];
        for (; clock.nowMs() <= untilMs; await clock.advance(MINUTE_MS)) {
          await sweepExpired({ store, clock }).catch(() => tries.push((clock.nowMs() - T0 - 1) / MINUTE_MS));
        }
        return tries;
      };
      // Minutes: 0 + 2, 2 + 2, 4 + 2, then half as much again, a minute later each time: a lease must have ended.
      expect(await triesUntil(T0 + 40 * MINUTE_MS)).toEqual([0, 3, 6, 10, 16, 25, 38]);
      await clock.advance(40 * HOUR_MS);
      const afterwards = await triesUntil(clock.nowMs() + 13 * HOUR_MS);
      expect(afterwards.map((minute) => minute - (afterwards[0] ?? 0))).toEqual([0, 361, 722]);
    });
  });

  it('comes at once and then every two minutes, also after one that failed', async () => {
    await admit(1, { leaseUntilMs: T0 - 1 }, 'old');
    await admit(1, { leaseUntilMs: T0 + MINUTE_MS }, 'later');
    let fails = true;
    const listExpired: Store['listExpired'] = (...args) => (fails ? AWAY() : store.listExpired(...args));
    const sweep = parts(T0, { listExpired });
    keepSwept(sweep);
    await until(() => sweep.clock.pending === 1);
    expect(written()).toMatchObject([{ severity: 'ERROR', message: 'sweep failed', cause: 'Error: store away' }]);
    fails = false;
    await sweep.clock.advance(2 * MINUTE_MS - 1);
    expect(await stateOf('later0')).toBe('open');
    await sweep.clock.advance(1);
    await until(() => sweep.clock.pending === 1);
    expect([await stateOf('old0'), await stateOf('later0')]).toEqual(['swept', 'swept']);
  });
});
