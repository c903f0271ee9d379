import { fakeClock } from '../../test/support/fake-clock';
import { callRow, openRow, rateLimit, reservation, settlement, T0 } from '../../test/support/store-records';
import { temporaryDirectory } from '../../test/support/temporary-directory';
import { openEmbeddedStore } from '../store/embedded/embedded-store';
import type { Store } from '../store/store';
import type { Reservation } from './ledger-store';
import { sweepExpired } from './sweep';

const LEASE_END = T0 + 660_000;

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

  describe('with records that cannot be settled because their month is full', () => {
    const stuck = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        reservation(`stuck-${index}`, { userId: 'rich', calls: [openRow('c', { costNanoUsd: 1 })], leaseUntilMs: T0 }),
      );
    beforeEach(async () => {
      await admit(reservation('full', { userId: 'rich' }));
      await store.settle(settlement('full', [callRow('c', { costNanoUsd: Number.MAX_SAFE_INTEGER })]));
    });

    it('settles the others first and then reports each of them once', async () => {
      const good = Array.from({ length: 300 }, (_, index) => reservation(`good-${index}`));
      await store.admit(rateLimit(1_000), stuck(2), T0);
      await store.admit(rateLimit(1_000), good, T0);
      const error = await sweepExpired(store, fakeClock(LEASE_END + 1)).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ message: '2 expired records could not be settled', errors: { length: 2 } });
      const open = await store.listExpired(LEASE_END + 1, 1_000);
      expect(open.map(({ requestId }) => requestId).sort()).toEqual(['stuck-0', 'stuck-1']);
      expect(await costOf('rich')).toBe(Number.MAX_SAFE_INTEGER);
    });

    it('gives up instead of going round for ever when a whole page is stuck', async () => {
      await store.admit(rateLimit(1_000), stuck(200), T0);
      await expect(sweepExpired(store, fakeClock(LEASE_END + 1))).rejects.toThrow(AggregateError);
    });
  });
});
