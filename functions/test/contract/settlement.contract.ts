import { callRow, openRow, rateLimit, reservation, settlement, T0 } from '../support/store-records';
import type { CurrentStore } from './store.contract';

/** `LedgerStore.settle`: exactly once, whatever is repeated or raced. */
export function settlementContract(current: CurrentStore): void {
  const admit = (...reservations: ReturnType<typeof reservation>[]) =>
    current().admit(rateLimit(1_000), reservations, T0);
  const monthOfAda = async () => (await current().readMonths('ada', ['2026-03']))[0];

  it('closes the record with the final calls, which replace the ones written before', async () => {
    const opened = reservation('r', { calls: [openRow('a'), openRow('b')] });
    await admit(opened);
    expect(await current().settle(settlement('r', [callRow('a')]))).toBe('applied');
    expect(await current().findRecord('r')).toEqual({ ...opened, calls: [callRow('a')], state: 'settled' });
  });

  it('says that nothing was reserved, and counts nothing', async () => {
    expect(await current().settle(settlement('nobody', [callRow('a')]))).toBe('missing');
    expect(await current().findRecord('nobody')).toBeUndefined();
    expect(await current().readMonths('ada', ['2026-03'])).toEqual([]);
  });

  it('applies the first settlement and changes nothing after it, whatever it says', async () => {
    await admit(reservation('r'));
    await current().settle(settlement('r', [callRow('a')]));
    const record = await current().findRecord('r');
    const month = await monthOfAda();
    expect(await current().settle(settlement('r', [callRow('a')]))).toBe('already');
    expect(await current().settle(settlement('r', [callRow('z', { costNanoUsd: 5 })], { state: 'swept' }))).toBe(
      'already',
    );
    expect(await current().findRecord('r')).toEqual(record);
    expect(await monthOfAda()).toEqual(month);
  });

  it('applies one of 50 settlements that come at once', async () => {
    await admit(reservation('r'));
    const words = await Promise.all(
      Array.from({ length: 50 }, () => current().settle(settlement('r', [callRow('a')]))),
    );
    expect(words.filter((word) => word === 'applied')).toHaveLength(1);
    expect(words.filter((word) => word === 'already')).toHaveLength(49);
    expect(await monthOfAda()).toMatchObject({ requests: 1, promptTokens: 10, completionTokens: 20, costNanoUsd: 300 });
  });

  it('lets either the late request or the sweep win, and counts the winner only', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `r${index}`);
    await admit(...ids.map((id) => reservation(id)));
    let expectedCost = 0;
    for (const [index, id] of ids.entries()) {
      const late = settlement(id, [callRow('a', { costNanoUsd: 1_000 })]);
      const sweep = settlement(id, [callRow('a', { costNanoUsd: 7 })], { state: 'swept' });
      const racers = index % 2 === 0 ? [late, sweep] : [sweep, late];
      const words = await Promise.all(racers.map((racer) => current().settle(racer)));
      expect([...words].sort()).toEqual(['already', 'applied']);
      const winner = racers[words.indexOf('applied')];
      expect(await current().findRecord(id)).toMatchObject({ state: winner?.state, calls: winner?.calls });
      expectedCost += winner?.state === 'settled' ? 1_000 : 7;
    }
    expect(await monthOfAda()).toMatchObject({ requests: 20, costNanoUsd: expectedCost });
  });

  it.each([Number.NaN, Number.NEGATIVE_INFINITY, -1, 1.5, 2 ** 53])(
    'refuses a settlement with a cost of %d and leaves the record open',
    async (costNanoUsd) => {
      await admit(reservation('r', { calls: [openRow('a')] }));
      const spoilt = settlement('r', [callRow('a'), callRow('b', { costNanoUsd })]);
      await expect(current().settle(spoilt)).rejects.toThrow(RangeError);
      expect(await current().findRecord('r')).toMatchObject({ state: 'open', calls: [openRow('a')] });
      expect(await current().readMonths('ada', ['2026-03'])).toEqual([]);
      expect(await current().settle(settlement('r', [callRow('a')]))).toBe('applied');
    },
  );

  it('refuses a settlement that would take a month beyond exact numbers, and none that comes at the same moment', async () => {
    const ids = ['first', 'too-much', 'after'];
    await admit(...ids.map((id) => reservation(id)));
    await current().settle(settlement('first', [callRow('c', { costNanoUsd: Number.MAX_SAFE_INTEGER - 5 })]));
    const costs = { 'too-much': 6, after: 5 };
    const results = await Promise.allSettled(
      Object.entries(costs).map(([id, costNanoUsd]) =>
        current().settle(settlement(id, [callRow('c', { costNanoUsd })])),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(await monthOfAda()).toMatchObject({ requests: 2, costNanoUsd: Number.MAX_SAFE_INTEGER });
    expect((await current().findRecord('too-much'))?.state).toBe('open');
  });

  describe('a reservation whose admission was given up', () => {
    const given = reservation('r', { calls: [openRow('a', { costNanoUsd: 700 })] });
    const closed = { ...given, calls: [], state: 'settled' };

    it('is closed at nothing when it was committed', async () => {
      await admit(given);
      expect(await current().abandon(given, T0 + 5_000)).toBe('applied');
      expect(await current().findRecord('r')).toEqual(closed);
      expect(await monthOfAda()).toMatchObject({ requests: 1, promptTokens: 0, costNanoUsd: 0 });
      expect(await current().abandon(given, T0 + 5_000)).toBe('already');
    });

    it('is made as closed when it was not, so that a commit that comes late opens nothing', async () => {
      expect(await current().abandon(given, T0 + 5_000)).toBe('applied');
      expect(await current().findRecord('r')).toEqual(closed);
      await admit(given);
      expect(await current().findRecord('r')).toEqual(closed);
      expect(await current().listExpired(T0 + 1e9, 10)).toEqual([]);
      expect(await current().settle(settlement('r', [callRow('a')]))).toBe('already');
      expect(await monthOfAda()).toMatchObject({ requests: 1, promptTokens: 0, costNanoUsd: 0 });
    });

    it('ends once, whatever comes at the same moment', async () => {
      const words = await Promise.all([
        current().abandon(given, T0),
        admit(given),
        current().abandon(given, T0),
        current().settle(settlement('r', [], { state: 'swept' })),
      ]);
      expect(words.filter((word) => word === 'applied')).toHaveLength(1);
      expect((await current().findRecord('r'))?.state).not.toBe('open');
      expect(await monthOfAda()).toMatchObject({ requests: 1, costNanoUsd: 0 });
    });
  });
}
