import { fakeClock } from '../../test/support/fake-clock';
import { callRow, openRow, rateLimit, reservation, settlement, T0 } from '../../test/support/store-records';
import { temporaryDirectory } from '../../test/support/temporary-directory';
import { until } from '../../test/support/until';
import { createLog } from '../lib/log';
import { openEmbeddedStore } from '../store/embedded/embedded-store';
import type { Store } from '../store/store';
import { keepSwept, reconcileAndLog, sweepAndLog } from './housekeeping';

const MINUTE_MS = 60_000;

describe('housekeeping', () => {
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

  const leave = (requestId: string, leaseUntilMs: number) =>
    store.admit(rateLimit(100), [reservation(requestId, { calls: [openRow('c')], leaseUntilMs })], T0);
  const stateOf = async (requestId: string) => (await store.findRecord(requestId))?.state;
  const parts = (over: Partial<Store> = {}, clock = fakeClock(T0)) => ({
    store: { ...store, ...over },
    clock,
    log: createLog('info', (line) => lines.push(line)),
  });
  const messages = () => lines.map((line) => JSON.parse(line).message);

  it('says nothing of a sweep that found nothing', async () => {
    await sweepAndLog(parts());
    expect(lines).toEqual([]);
  });

  it('tells every sweep where that is asked for, and how long ago the oldest it came to was begun', async () => {
    const line = { severity: 'INFO', message: 'swept' };
    await sweepAndLog({ ...parts(), tellsEverySweep: true });
    await leave('old', T0 - 1);
    await leave('as old', T0 - 1);
    await sweepAndLog({ ...parts({}, fakeClock(T0 + 13 * MINUTE_MS)), tellsEverySweep: true });
    expect(lines.map((text) => JSON.parse(text))).toEqual([
      { ...line, records: 0, oldestAgeMs: 0 },
      { ...line, records: 2, oldestAgeMs: 13 * MINUTE_MS },
    ]);
  });

  it('tells the age of what it could not settle, too', async () => {
    await leave('young', T0 - 1);
    const settle = async () => Promise.reject(new Error('cannot'));
    await sweepAndLog(parts({ settle }, fakeClock(T0 + 31 * MINUTE_MS))).catch(() => {});
    expect(lines.map((text) => JSON.parse(text))).toMatchObject([
      { message: 'sweep failed', oldestAgeMs: 31 * MINUTE_MS },
    ]);
  });

  it('logs why a sweep or a reconciliation failed, and fails', async () => {
    const broken = async () => Promise.reject(new Error('store away'));
    await expect(sweepAndLog(parts({ listExpired: broken }))).rejects.toThrow('store away');
    await expect(reconcileAndLog(parts({ listClosed: broken }))).rejects.toThrow('store away');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { severity: 'ERROR', message: 'sweep failed', overdue: 0, cause: 'Error: store away' },
      { severity: 'ERROR', message: 'reconcile failed', cause: 'Error: store away' },
    ]);
  });

  it('names every record that could not be settled within an hour of its start, up to 20, and counts them', async () => {
    const settle = async () => Promise.reject(new Error('cannot'));
    await leave('young', T0 - 1);
    await sweepAndLog(parts({ settle }, fakeClock(T0 + 59 * MINUTE_MS))).catch(() => {});
    expect(messages()).toEqual(['sweep failed']);
    for (let index = 1; index < 25; index += 1) await leave(`r${index}`, T0 - 1);
    await expect(sweepAndLog(parts({ settle }, fakeClock(T0 + 90 * MINUTE_MS)))).rejects.toThrow(AggregateError);
    const overdue = lines.map((line) => JSON.parse(line)).filter(({ message }) => message === 'ledger record overdue');
    expect(overdue).toHaveLength(20);
    expect(overdue[0]).toMatchObject({ severity: 'ERROR', requestId: 'r1', userId: 'ada', ageMinutes: 90 });
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ message: 'sweep failed', overdue: 25 });
  });

  it('names a record an hour after its start', async () => {
    const settle = async () => Promise.reject(new Error('cannot'));
    await leave('r', T0 - 1);
    await expect(sweepAndLog(parts({ settle }, fakeClock(T0 + 60 * MINUTE_MS)))).rejects.toThrow(AggregateError);
    expect(messages()).toEqual(['ledger record overdue', 'sweep failed']);
  });

  it('logs how many records a sweep has settled', async () => {
    for (const id of ['a', 'b']) await leave(id, T0 - 1);
    await sweepAndLog(parts());
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ severity: 'INFO', message: 'swept', records: 2 }]);
  });

  it('logs each difference of a month from its ledger, and how many there were', async () => {
    await leave('r', T0);
    await store.settle(settlement('r', [callRow('c')]));
    const readMonths: Store['readMonths'] = async (...args) =>
      (await store.readMonths(...args)).map((month) => ({ ...month, requests: month.requests + 1 }));
    await reconcileAndLog(parts({ readMonths }));
    const month = { userId: 'ada', month: '2026-03', line: 'month', requests: -1, costNanoUsd: 0 };
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { severity: 'ERROR', message: 'month differs from its ledger', ...month },
      { severity: 'INFO', message: 'reconciled', months: 1, differences: 1 },
    ]);
  });

  it('sweeps at once and then every two minutes', async () => {
    const clock = fakeClock(T0);
    await leave('old', T0 - 1);
    await leave('later', T0 + MINUTE_MS);
    keepSwept(parts({}, clock));
    await until(() => clock.pending === 1);
    expect([await stateOf('old'), await stateOf('later')]).toEqual(['swept', 'open']);
    await clock.advance(2 * MINUTE_MS - 1);
    expect(await stateOf('later')).toBe('open');
    await clock.advance(1);
    await until(() => clock.pending === 1);
    expect(await stateOf('later')).toBe('swept');
    expect(messages()).toEqual(['swept', 'swept']);
  });

  it('goes on sweeping after a sweep that failed', async () => {
    const clock = fakeClock(T0);
    await leave('old', T0 - 1);
    let fails = true;
    const listExpired: Store['listExpired'] = (...args) =>
      fails ? Promise.reject(new Error('store away')) : store.listExpired(...args);
    keepSwept(parts({ listExpired }, clock));
    await until(() => clock.pending === 1);
    fails = false;
    await clock.advance(2 * MINUTE_MS);
    await until(() => clock.pending === 1);
    expect(await stateOf('old')).toBe('swept');
    expect(messages()).toEqual(['sweep failed', 'swept']);
  });
});
