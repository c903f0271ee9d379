import type { LedgerRecord, Reservation } from '../../src/usage/ledger-store';
import { callRow, openRow, rateLimit, reservation, settlement, T0 } from '../support/store-records';
import type { CurrentStore } from './store.contract';

/** `AuditStore`: the ledger read back. */
export function auditContract(current: CurrentStore): void {
  const open = (one: Reservation) => current().admit(rateLimit(10_000), [one], T0);
  const close = async (requestId: string, change: Partial<Reservation> = {}, settledAtMs = T0) => {
    await open(reservation(requestId, change));
    await current().settle(settlement(requestId, [callRow('a')], { settledAtMs }));
  };
  const touchedSince = async (sinceMs: number) =>
    (await current().listTouchedMonths(sinceMs)).map(({ userId, month }) => `${userId} ${month}`).sort();
  const recordsOf = (userId: string, afterRequestId: string, max: number) =>
    current().listRecords({ userId, month: '2026-03' }, { afterRequestId, max });
  const idsOf = (records: readonly LedgerRecord[]) => records.map(({ requestId }) => requestId);

  it('names each touched month of each user once', async () => {
    await close('a');
    await close('b');
    await close('c', { month: '2026-02' });
    await close('d', { userId: 'bob' });
    expect(await touchedSince(T0)).toEqual(['ada 2026-02', 'ada 2026-03', 'bob 2026-03']);
  });

  it('names months by when their records were closed, also by the sweep, and not by open records', async () => {
    await close('early', { userId: 'early' }, T0 - 1);
    await close('on-time', { userId: 'on-time', startedAtMs: T0 - 9_000 }, T0);
    await open(reservation('swept', { userId: 'swept' }));
    await open(reservation('open', { userId: 'open' }));
    await current().settle(settlement('swept', [], { state: 'swept' }));
    expect(await touchedSince(T0)).toEqual(['on-time 2026-03', 'swept 2026-03']);
  });

  it('lists the records of one month of one user as they are found one by one, open ones too', async () => {
    await close('b');
    await open(reservation('a', { calls: [openRow('x')] }));
    await close('other-month', { month: '2026-02' });
    await close('other-user', { userId: 'bob' });
    const records = await recordsOf('ada', '', 10);
    expect(idsOf(records)).toEqual(['a', 'b']);
    expect(records).toEqual([await current().findRecord('a'), await current().findRecord('b')]);
  });

  it('lists a month page by page, by request id', async () => {
    for (const id of ['e', 'b', 'd', 'a', 'c']) await close(id);
    expect(idsOf(await recordsOf('ada', '', 2))).toEqual(['a', 'b']);
    expect(idsOf(await recordsOf('ada', 'b', 2))).toEqual(['c', 'd']);
    expect(idsOf(await recordsOf('ada', 'd', 2))).toEqual(['e']);
    expect(await recordsOf('ada', 'e', 2)).toEqual([]);
    expect(await recordsOf('nobody', '', 2)).toEqual([]);
  });
}
