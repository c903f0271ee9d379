import type { LedgerRecord } from '../../src/ledger/ledger-store';
import { callRow, openRow, rateLimit, reservation, settlement, T0 } from '../support/store-records';
import type { CurrentStore } from './store.contract';

/** `LedgerStore` up to the settlement: records, checkpoints, leases. */
export function ledgerContract(current: CurrentStore): void {
  const admit = (...reservations: ReturnType<typeof reservation>[]) =>
    current().admit(rateLimit(1_000), reservations, T0);
  const expiredIds = async (nowMs: number) =>
    (await current().listExpired(nowMs, 100)).map(({ requestId }) => requestId).sort();

  it('overwrites the named calls with absolute values, adds new ones and keeps the others', async () => {
    await admit(reservation('r', { calls: [openRow('a'), openRow('b')] }));
    await current().checkpoint('r', [openRow('b', { completionTokens: 7, costNanoUsd: 70 }), openRow('c')]);
    await current().checkpoint('r', [openRow('b', { completionTokens: 9, costNanoUsd: 90 })]);
    expect(byCallId(await current().findRecord('r'))).toEqual([
      openRow('a'),
      openRow('b', { completionTokens: 9, costNanoUsd: 90 }),
      openRow('c'),
    ]);
  });

  it('loses none of the checkpoints of one request that come at once', async () => {
    await admit(reservation('r'));
    const ids = Array.from({ length: 20 }, (_, index) => `c${String(index).padStart(2, '0')}`);
    await Promise.all(ids.map((id) => current().checkpoint('r', [openRow(id)])));
    expect(byCallId(await current().findRecord('r'))).toEqual(ids.map((id) => openRow(id)));
  });

  it('leaves a settled record alone when a checkpoint comes late', async () => {
    await admit(reservation('r', { calls: [openRow('a')] }));
    await current().settle(settlement('r', [callRow('a')]));
    await current().checkpoint('r', [callRow('a', { costNanoUsd: 999 }), callRow('late')]);
    expect((await current().findRecord('r'))?.calls).toEqual([callRow('a')]);
    expect((await current().readMonths('ada', ['2026-03']))[0]?.costNanoUsd).toBe(300);
  });

  it('refuses a checkpoint of a request that was never reserved', async () => {
    await expect(current().checkpoint('nobody', [openRow('a')])).rejects.toThrow();
    expect(await current().findRecord('nobody')).toBeUndefined();
  });

  it('refuses a checkpoint with a spoilt number and keeps the record as it was', async () => {
    await admit(reservation('r', { calls: [openRow('a')] }));
    const spoilt = openRow('a', { costNanoUsd: Number.NaN });
    await expect(current().checkpoint('r', [spoilt])).rejects.toThrow(RangeError);
    expect((await current().findRecord('r'))?.calls).toEqual([openRow('a')]);
  });

  it('lists an open record once its lease has ended, not at the moment it ends', async () => {
    await admit(reservation('r', { leaseUntilMs: T0 + 1_000 }), reservation('long', { leaseUntilMs: T0 + 9_000 }));
    expect(await expiredIds(T0 + 1_000)).toEqual([]);
    expect(await expiredIds(T0 + 1_001)).toEqual(['r']);
    const [record] = await current().listExpired(T0 + 1_001, 100);
    expect(record).toEqual(await current().findRecord('r'));
  });

  it('lists expired records of all users, but none that was settled or swept', async () => {
    const leaseUntilMs = T0 + 1;
    for (const userId of ['ada', 'bob']) {
      await admit(
        ...['open', 'settled', 'swept'].map((id) => reservation(`${userId}-${id}`, { userId, leaseUntilMs })),
      );
      await current().settle(settlement(reservation(`${userId}-settled`, { userId }), []));
      await current().settle(settlement(reservation(`${userId}-swept`, { userId }), [], { state: 'swept' }));
    }
    expect(await expiredIds(T0 + 2)).toEqual(['ada-open', 'bob-open']);
  });

  it('lists expired records page by page, by the end of their lease and then by id', async () => {
    const leases = [3, 1, 1, 2, 1].map((leaseMs, index) => reservation(`r${index}`, { leaseUntilMs: T0 + leaseMs }));
    await admit(...leases);
    const ids: string[] = [];
    for (let last: LedgerRecord | undefined; ; ) {
      const page = await current().listExpired(T0 + 100, 2, last);
      ids.push(...page.map(({ requestId }) => requestId));
      last = page.at(-1);
      if (page.length < 2) break;
    }
    expect(ids).toEqual(['r1', 'r2', 'r4', 'r3', 'r0']);
  });

  it('lists a postponed record no earlier than told, and changes nothing else of it', async () => {
    await admit(reservation('r', { leaseUntilMs: T0, calls: [openRow('a')] }), reservation('closed'));
    await current().postpone('r', T0 + 9_000);
    expect(await expiredIds(T0 + 9_000)).toEqual([]);
    expect(await expiredIds(T0 + 9_001)).toEqual(['r']);
    expect(await current().findRecord('r')).toMatchObject({ state: 'open', calls: [openRow('a')], startedAtMs: T0 });
    await current().settle(settlement('closed', []));
    await current().postpone('closed', T0 - 1);
    await expect(current().postpone('nobody', T0)).resolves.toBeUndefined();
    expect(await current().findRecord('nobody')).toBeUndefined();
    expect(await expiredIds(T0)).toEqual([]);
  });
}

/** A record's calls keep no particular order. */
function byCallId(record: Pick<LedgerRecord, 'calls'> | undefined) {
  return record && [...record.calls].sort((a, b) => (a.callId < b.callId ? -1 : 1));
}
