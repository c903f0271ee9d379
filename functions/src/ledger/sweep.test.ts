import { fakeClock } from '../../test/support/fake-clock';
import { callRow, openRow, rateLimit, reservation, settlement, T0 } from '../../test/support/store-records';
import { temporaryDirectory } from '../../test/support/temporary-directory';
import type { Clock } from '../lib/clock';
import { openEmbeddedStore } from '../store/embedded/embedded-store';
import type { Store } from '../store/store';
import type { Reservation } from './ledger-store';
import { sweepExpired } from './sweep';

const LEASE_END = T0 + 660_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('sweepExpired', () => {
  let store: Store;
  let close: () => Promise<void>;
  beforeEach(async () => {
    const directory = await temporaryDirectory();
    store = openEmbeddedStore({ directory: directory.path });
    close = async () => {
      await store.close();
      await directory.remove();
    };
  });
  afterEach(() => close());

  const admit = (...reservations: Reservation[]) => store.admit(rateLimit(1_000), reservations, T0);
  const costOf = async (userId: string) => (await store.readMonths(userId, ['2026-03']))[0]?.costNanoUsd;

  it('closes calls that never ended as aborted estimates of what they were last written with', async () => {
    await admit(reservation('r', { calls: [openRow('done'), openRow('half'), openRow('unstarted')] }));
    const half = openRow('half', { completionTokens: 7, costNanoUsd: 70, estimated: false });
    await store.checkpoint('r', [callRow('done'), half]);
    expect(await sweepExpired(store, fakeClock(LEASE_END + 1))).toBe(1);
    expect(await store.findRecord('r')).toMatchObject({
      state: 'swept',
      calls: [
        callRow('done'),
        { ...half, outcome: 'aborted', estimated: true },
        { ...openRow('unstarted'), outcome: 'aborted', estimated: true },
      ],
    });
    // prompt 10 + 10 + 10, completion 20 + 7 + 0, cost 300 + 70 + 0
    const sums = { requests: 1, promptTokens: 30, completionTokens: 27, costNanoUsd: 370 };
    expect(await store.readMonths('ada', ['2026-03'])).toMatchObject([sums]);
  });

  it('keeps calls that had failed or been aborted as they are', async () => {
    const ended = [callRow('a', { outcome: 'failed' }), callRow('b', { outcome: 'aborted', estimated: false })];
    await admit(reservation('r', { calls: ended }));
    await sweepExpired(store, fakeClock(LEASE_END + 1));
    expect((await store.findRecord('r'))?.calls).toEqual(ended);
  });

  it('leaves records alone whose lease has not ended, and settled ones', async () => {
    await admit(reservation('running'), reservation('settled'));
    await store.settle(settlement('settled', []));
    expect(await sweepExpired(store, fakeClock(LEASE_END))).toBe(0);
    expect((await store.findRecord('running'))?.state).toBe('open');
    expect(await sweepExpired(store, fakeClock(LEASE_END + 1))).toBe(1);
    expect((await store.findRecord('settled'))?.state).toBe('settled');
  });

  it('goes on over several pages until none is left', async () => {
    const ids = Array.from({ length: 401 }, (_, index) => `r${index}`);
    await admit(...ids.map((id) => reservation(id, { calls: [openRow('c', { costNanoUsd: 3 })] })));
    expect(await sweepExpired(store, fakeClock(LEASE_END + 1))).toBe(401);
    expect(await store.listExpired(LEASE_END + 1, 1)).toEqual([]);
    expect(await costOf('ada')).toBe(1_203);
  });

  it('counts each record once when two sweeps run at the same time', async () => {
    const ids = Array.from({ length: 250 }, (_, index) => `r${index}`);
    await admit(...ids.map((id) => reservation(id, { calls: [openRow('c', { costNanoUsd: 3 })] })));
    const clock = fakeClock(LEASE_END + 1);
    const [one, other] = await Promise.all([sweepExpired(store, clock), sweepExpired(store, clock)]);
    expect(one + other).toBe(250);
    expect(await costOf('ada')).toBe(750);
  });

  it('settles at most eight records at a time', async () => {
    const ids = Array.from({ length: 50 }, (_, index) => `r${index}`);
    await admit(...ids.map((id) => reservation(id)));
    let [now, most] = [0, 0];
    const counting: Store = {
      ...store,
      settle: async (...args) => {
        now += 1;
        most = Math.max(most, now);
        const outcome = await store.settle(...args);
        now -= 1;
        return outcome;
      },
    };
    expect(await sweepExpired(counting, fakeClock(LEASE_END + 1))).toBe(50);
    expect(most).toBe(8);
  });

  it('goes past records that can neither be settled nor postponed: each is told once', async () => {
    const ids = Array.from({ length: 250 }, (_, index) => `r${index}`);
    await admit(...ids.map((id) => reservation(id)));
    const away = async () => Promise.reject(new Error('store away'));
    const told: string[] = [];
    const attempt = sweepExpired({ ...store, settle: away, postpone: away }, fakeClock(LEASE_END + 1), {
      stuck: ({ requestId }) => told.push(requestId),
    });
    await expect(attempt).rejects.toThrow('250 expired records could not be settled');
    expect(told.toSorted()).toEqual(ids.toSorted());
  });

  it('fails with what went wrong, also where nobody is to be told of each', async () => {
    await admit(reservation('r'));
    const cause = new Error('store away');
    const broken = { ...store, settle: async () => Promise.reject(cause) };
    await expect(sweepExpired(broken, fakeClock(LEASE_END + 1))).rejects.toMatchObject({
      message: '1 expired records could not be settled',
      errors: [cause],
    });
  });

  describe('with records that cannot be settled because their month is full', () => {
    const stuck = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        reservation(`stuck-${index}`, { userId: 'rich', calls: [openRow('c', { costNanoUsd: 1 })], leaseUntilMs: T0 }),
      );
    const stuckIds = async (clock: Clock) => {
      const seen: string[] = [];
      await sweepExpired(store, clock, { stuck: ({ requestId }) => seen.push(requestId) }).catch(() => {});
      return seen;
    };
    beforeEach(async () => {
      await admit(reservation('full', { userId: 'rich' }));
      await store.settle(settlement('full', [callRow('c', { costNanoUsd: Number.MAX_SAFE_INTEGER })]));
    });

    it('settles the others, of all tenants, although 600 that cannot be settled come before them', async () => {
      const good = Array.from({ length: 300 }, (_, index) => reservation(`good-${index}`));
      await store.admit(rateLimit(1_000), stuck(600), T0);
      await store.admit(rateLimit(1_000), good, T0);
      const reported: string[] = [];
      const attempt = sweepExpired(store, fakeClock(LEASE_END + 1), {
        stuck: ({ requestId }) => reported.push(requestId),
      });
      await expect(attempt).rejects.toMatchObject({
        message: '600 expired records could not be settled',
        errors: { length: 10 },
      });
      expect(await costOf('ada')).toBe(0);
      expect((await store.readMonths('ada', ['2026-03']))[0]?.requests).toBe(300);
      expect(reported.toSorted()).toEqual(
        stuck(600)
          .map(({ requestId }) => requestId)
          .toSorted(),
      );
      expect(await costOf('rich')).toBe(Number.MAX_SAFE_INTEGER);
    });

    it('tries a record again after half its age, at least two minutes and at most six hours', async () => {
      await store.admit(rateLimit(1_000), stuck(1), T0);
      const clock = fakeClock(T0 + 1);
      const triesUntil = async (untilMs: number) => {
        const tries: number[] = [];
        for (; clock.nowMs() <= untilMs; await clock.advance(MINUTE_MS)) {
          if ((await stuckIds(clock)).length > 0) tries.push((clock.nowMs() - T0 - 1) / MINUTE_MS);
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
});
