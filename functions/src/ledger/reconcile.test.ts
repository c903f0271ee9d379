import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fakeClock } from '../../test/support/fake-clock';
import { callRow, rateLimit, reservation, settlement, T0 } from '../../test/support/store-records';
import { temporaryDirectory } from '../../test/support/temporary-directory';
import { createLog } from '../lib/log';
import { openEmbeddedStore } from '../store/embedded/embedded-store';
import { mapKey } from '../store/repositories/refs';
import type { Store } from '../store/store';
import type { CallRow } from './call-row';
import type { Reservation } from './ledger-store';
import { type MonthDifference, reconcileAndLog, reconcileMonths } from './reconcile';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('reconcileMonths', () => {
  let store: Store;
  let file: string;
  let close: () => Promise<void>;
  beforeEach(async () => {
    const directory = await temporaryDirectory();
    file = join(directory.path, 'ensemble.db');
    store = openEmbeddedStore({ directory: directory.path });
    close = async () => {
      await store.close();
      await directory.remove();
    };
  });
  afterEach(() => close());

  const settled = async (
    requestId: string,
    calls: readonly CallRow[],
    change: Partial<Reservation> = {},
    settledAtMs = T0 + 5_000,
  ) => {
    const asked = reservation(requestId, change);
    await store.admit(rateLimit(10_000), [asked], T0);
    await store.settle(settlement(asked, calls, { settledAtMs }));
  };
  /** The store's own listing, which tells the ids it lists. */
  const listing =
    (told: (requestIds: string[]) => unknown): Store['listClosed'] =>
    async (...args) => {
      const page = await store.listClosed(...args);
      told(page.map(({ requestId }) => requestId));
      return page;
    };
  /** Changes rows as no code of ours does. */
  const tamper = (sql: string) => {
    const db = new DatabaseSync(file, { timeout: 1_000 });
    db.exec(sql);
    db.close();
  };
  const setMonth = (sets: string, userId = 'ada') =>
    tamper(`UPDATE documents SET fields = json_set(fields, ${sets}) WHERE path LIKE 'users/${userId}/usage/%'`);
  const reconcile = async (over: Store = store, clock = fakeClock(T0)) => {
    const differences: MonthDifference[] = [];
    const months = await reconcileMonths(over, clock, (difference) => differences.push(difference));
    return { months, differences: differences.sort((a, b) => (a.line < b.line ? -1 : 1)) };
  };

  it('reports every line that differs: what the ledger has and the month has not as positive counts', async () => {
    await settled('a', [callRow('1', { modelId: 'm1' }), callRow('2', { modelId: 'm2' })]);
    await settled('b', [callRow('1', { modelId: 'm2' })]);
    setMonth("'$.nRequests', 1, '$.costNano', 1000");
    tamper(`UPDATE documents SET fields = json_remove(fields, '$.m."${mapKey('m1')}"') WHERE kind = 'usage'`);
    setMonth(`'$.m.x', json('{"id":"m3","name":"M3","n":1,"ctx":2,"gen":3,"costNano":4}')`);
    setMonth(`'$.k."${mapKey('key-1')}".ctx', 31, '$.k."${mapKey('key-1')}".gen', 59`);
    const of = { userId: 'ada', month: '2026-03' };
    // Booked: 2 requests, 30 + 60 tokens, 900 nano-USD in all; 1 call of m1 and 2 of m2, each 10 + 20 tokens and 300.
    expect(await reconcile()).toEqual({
      months: 1,
      differences: [
        { ...of, line: 'key key-1', requests: 0, promptTokens: -1, completionTokens: 1, costNanoUsd: 0 },
        { ...of, line: 'model m1', requests: 1, promptTokens: 10, completionTokens: 20, costNanoUsd: 300 },
        { ...of, line: 'model m3', requests: -1, promptTokens: -2, completionTokens: -3, costNanoUsd: -4 },
        { ...of, line: 'month', requests: 1, promptTokens: 0, completionTokens: 0, costNanoUsd: -100 },
      ],
    });
  });

  it('checks a month when records of it were closed since the last time, and reads each record once', async () => {
    await settled('a', [callRow('1')]);
    await settled('b', [callRow('1')], { userId: 'bob' });
    expect((await reconcile(store, fakeClock(T0 + DAY_MS))).months).toBe(2);
    expect((await reconcile(store, fakeClock(T0 + 2 * DAY_MS))).months).toBe(0);
    await settled('c', [callRow('1')], {}, T0 + 2 * DAY_MS);
    const listed: string[] = [];
    const counting = { ...store, listClosed: listing((ids) => listed.push(...ids)) };
    expect(await reconcile(counting, fakeClock(T0 + 3 * DAY_MS))).toEqual({ months: 1, differences: [] });
    expect(listed).toEqual(['c']);
  });

  it('sees a difference that arose in what was checked before, as soon as the month is used again', async () => {
    for (let day = 0; day < 4; day += 1) {
      await settled(`r${day}`, [callRow('1')], {}, T0 + day * DAY_MS);
      if (day === 2) setMonth("'$.costNano', fields ->> 'costNano' - 100");
      const { differences } = await reconcile(store, fakeClock(T0 + (day + 0.5) * DAY_MS));
      const expected = {
        userId: 'ada',
        month: '2026-03',
        line: 'month',
        requests: 0,
        promptTokens: 0,
        completionTokens: 0,
      };
      expect(differences).toEqual(day < 2 ? [] : [{ ...expected, costNanoUsd: 100 }]);
    }
  });

  it('counts every record once when the run before broke off after some months were checked', async () => {
    await settled('a', [callRow('1')]);
    await settled('b', [callRow('1')], { userId: 'bob' });
    const broken: Store = {
      ...store,
      keepAudit: (audit) => (audit.userId === 'bob' ? Promise.reject(new Error('store away')) : store.keepAudit(audit)),
    };
    await expect(reconcile(broken, fakeClock(T0 + DAY_MS))).rejects.toThrow('1 of 2 months could not be checked');
    await settled('c', [callRow('1')], {}, T0 + DAY_MS);
    expect(await reconcile(store, fakeClock(T0 + 2 * DAY_MS))).toEqual({ months: 2, differences: [] });
  });

  it('has the lines that the month has, however many models and keys came after it was full', async () => {
    for (let day = 0; day < 3; day += 1) {
      for (let request = 0; request < 5; request += 1) {
        // In the order of their ids the ledger would list others than those that came first.
        const ids = Array.from({ length: 50 }, (_, index) => `${9 - request}-${day}-${index}`);
        const calls = ids.map((modelId, index) => callRow(`c${index}`, { modelId, costNanoUsd: index + day }));
        const again = callRow('known', { modelId: '9-0-7' });
        const key = { keyId: `key-${day}-${request}` };
        await settled(`${9 - request}-${day}`, [...calls, again], key, T0 + day * DAY_MS);
      }
      expect(await reconcile(store, fakeClock(T0 + (day + 0.5) * DAY_MS))).toEqual({ months: 1, differences: [] });
    }
    setMonth(`'$.m."${mapKey('other')}".costNano', fields ->> '$.m."${mapKey('other')}".costNano' + 5`);
    await settled('last', [callRow('1', { modelId: 'a new one' })], {}, T0 + 3 * DAY_MS);
    const { differences } = await reconcile(store, fakeClock(T0 + 4 * DAY_MS));
    expect(differences).toMatchObject([{ line: 'model other', requests: 0, costNanoUsd: -5 }]);
  });

  it('adds up months of more than one page', async () => {
    for (let index = 0; index < 1_001; index += 1) await settled(`r${index}`, [callRow('1')]);
    expect(await reconcile()).toEqual({ months: 1, differences: [] });
    setMonth("'$.nRequests', 1000");
    expect((await reconcile()).differences).toMatchObject([{ line: 'month', requests: 1 }]);
  });

  it.each(['before', 'after'])(
    'takes no request for a difference that is settled right %s its page is read',
    async (when) => {
      await settled('m', [callRow('1')]);
      let count = 0;
      const busy = {
        ...store,
        listClosed: async (...args: Parameters<Store['listClosed']>) => {
          count += 1;
          if (when === 'before') await settled(`a${count}`, [callRow('1')]);
          const page = await store.listClosed(...args);
          if (when === 'after') await settled(`a${count}`, [callRow('1')]);
          return page;
        },
      };
      expect(await reconcile(busy)).toEqual({ months: 1, differences: [] });
      expect((await store.readMonths('ada', ['2026-03']))[0]?.requests).toBe(3);
    },
  );

  it('counts a record once that was closed at the very moment up to which months were checked', async () => {
    await settled('early', [callRow('1')]);
    await settled('at', [callRow('1')], {}, T0 + DAY_MS);
    expect((await reconcile(store, fakeClock(T0 + DAY_MS + 15 * 60_000))).differences).toEqual([]);
    await settled('later', [callRow('1')], {}, T0 + 2 * DAY_MS);
    expect(await reconcile(store, fakeClock(T0 + 3 * DAY_MS))).toEqual({ months: 1, differences: [] });
  });

  it('checks the other months when one cannot be read, and then fails', async () => {
    await settled('a', [callRow('1')]);
    await settled('b', [callRow('1')], { userId: 'bob' });
    setMonth("'$.nRequests', 9", 'bob');
    tamper("UPDATE documents SET fields = replace(fields, ':300', ':-1') WHERE kind = 'usageLedger' AND uid = 'ada'");
    const found: MonthDifference[] = [];
    const attempt = reconcileMonths(store, fakeClock(T0), (difference) => found.push(difference));
    await expect(attempt).rejects.toMatchObject({
      message: '1 of 2 months could not be checked',
      errors: [expect.any(RangeError)],
    });
    expect(found).toMatchObject([{ userId: 'bob', line: 'month', requests: -8 }]);
  });

  it('logs each difference and how many there were, or why it failed', async () => {
    await settled('a', [callRow('1')]);
    setMonth("'$.nRequests', 2");
    const lines: string[] = [];
    const log = createLog('info', (line) => lines.push(line));
    await reconcileAndLog({ store, clock: fakeClock(T0), log });
    const listClosed = async () => Promise.reject(new Error('store away'));
    const broken = { store: { ...store, listClosed }, clock: fakeClock(T0), log };
    await expect(reconcileAndLog(broken)).rejects.toThrow('store away');
    const month = { userId: 'ada', month: '2026-03', line: 'month', requests: -1, costNanoUsd: 0 };
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { severity: 'ERROR', message: 'month differs from its ledger', ...month },
      { severity: 'INFO', message: 'reconciled', months: 1, differences: 1 },
      { severity: 'ERROR', message: 'reconcile failed', cause: 'Error: store away' },
    ]);
  });
});
