import type { Audit, ClosedRecord, Reservation } from '../../src/ledger/ledger-store';
import { callRow, rateLimit, reservation, settlement, T0 } from '../support/store-records';
import type { CurrentStore } from './store.contract';

/** `AuditStore`: the ledger read back. */
export function auditContract(current: CurrentStore): void {
  const open = (one: Reservation) => current().admit(rateLimit(10_000), [one], T0);
  const close = async (requestId: string, settledAtMs = T0, change: Partial<Reservation> = {}) => {
    const one = reservation(requestId, change);
    await open(one);
    await current().settle(settlement(one, [callRow('a')], { settledAtMs }));
  };

  it('lists the closed records of all users as they are found one by one, with when they were closed', async () => {
    await close('a', T0 + 1, { userId: 'bob', month: '2026-02' });
    await open(reservation('open'));
    await open(reservation('swept'));
    await current().settle(settlement('swept', [], { state: 'swept', settledAtMs: T0 + 2 }));
    expect(await current().listClosed(0, 10)).toEqual([
      { ...(await current().findRecord('a')), settledAtMs: T0 + 1 },
      { ...(await current().findRecord('swept')), settledAtMs: T0 + 2 },
    ]);
  });

  it('lists records page by page, from a moment on, by when they were closed and then by id', async () => {
    const closed: [string, number][] = [
      ['e', 3],
      ['b', 1],
      ['d', 2],
      ['a', 3],
      ['c', 1],
      ['early', 0],
    ];
    for (const [id, afterMs] of closed) await close(id, T0 + afterMs);
    const ids: string[][] = [];
    for (let last: ClosedRecord | undefined; ; ) {
      const page = await current().listClosed(T0 + 1, 2, last);
      ids.push(page.map(({ requestId }) => requestId));
      last = page.at(-1);
      if (page.length < 2) break;
    }
    expect(ids).toEqual([['b', 'c'], ['d', 'a'], ['e']]);
    expect(await current().listClosed(T0 + 4, 2)).toEqual([]);
  });

  it('keeps the newest audit of each month of each user', async () => {
    const sums = { requests: 1, promptTokens: 10, completionTokens: 20, costNanoUsd: Number.MAX_SAFE_INTEGER };
    const audit = (change: Partial<Audit>): Audit => ({
      userId: 'ada',
      month: '2026-03',
      untilMs: T0,
      sums: { ...sums, models: [{ id: 'a.b/c', name: 'A', ...sums }], keys: [] },
      ...change,
    });
    const [other, first, second] = [
      audit({ userId: 'bob' }),
      audit({}),
      audit({ untilMs: T0 + 1, sums: { ...sums, models: [], keys: [] } }),
    ];
    for (const one of [other, first, second]) await current().keepAudit(one);
    expect(await current().readAudit({ userId: 'ada', month: '2026-03' })).toEqual(second);
    expect(await current().readAudit({ userId: 'bob', month: '2026-03' })).toEqual(other);
    expect(await current().readAudit({ userId: 'ada', month: '2026-04' })).toBeUndefined();
  });

  it('remembers up to when all months were checked', async () => {
    expect(await current().readAuditedUntil()).toBe(0);
    for (const untilMs of [T0, T0 + 1]) await current().keepAuditedUntil(untilMs);
    expect(await current().readAuditedUntil()).toBe(T0 + 1);
  });
}
