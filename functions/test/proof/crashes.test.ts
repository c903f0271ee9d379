import { join } from 'node:path';
import type { CallRow } from '../../src/ledger/call-row';
import type { ClosedRecord, LedgerRecord } from '../../src/ledger/ledger-store';
import { sweepExpired } from '../../src/ledger/sweep';
import type { Store } from '../../src/store/store';
import { fakeClock } from '../support/fake-clock';
import { isLongMode } from '../support/long-mode';
import { openRow, rateLimit, reservation, T0 } from '../support/store-records';
import { workerPool } from '../support/worker-pool';
import { expectMonthToMatch } from './audit';
import { describeOnBothStores, type SharedStore } from './both-stores';
import { seededRandom, withSeed } from './seeded-random';

const AFTER_LEASE = T0 + 660_001;
const MARCH = '2026-03';
const RUNS = isLongMode ? 200 : 40;
/** Processes alive at a time; each adds to the month of a user of its own. */
const USERS = ['u1', 'u2', 'u3'];
const RACES = isLongMode ? 1_000 : 400;
const RACES_AT_A_TIME = 40;

/** Proves the ledger of one store. */
function proveLedger(open: () => Promise<SharedStore>): void {
  const pool = workerPool(join(__dirname, 'ledger-worker.ts'));
  let setting: SharedStore;
  let store: Store;
  beforeEach(async () => {
    setting = await open();
    store = setting.store;
  });
  afterEach(() => setting.close());
  const start = (...role: string[]) => pool.start(setting.kind, setting.where, ...role);

  it(`settle each of ${RACES} requests once when one process settles it while another sweeps`, async () => {
    const settling = start('settle');
    const sweeping = start('sweep');
    await Promise.all([settling.printed(1), sweeping.printed(1)]);
    for (let round = 0; round < RACES / RACES_AT_A_TIME; round += 1) {
      const ids = Array.from({ length: RACES_AT_A_TIME }, (_, index) => `r${round}-${index}`);
      const calls = [openRow('c', { costNanoUsd: 3 })];
      const opening = ids.map((id) => reservation(id, { calls }));
      await store.admit(rateLimit(RACES), opening, T0);
      settling.send(ids.join(' '));
      sweeping.send(String(AFTER_LEASE));
      await Promise.all([settling.printed(round + 2), sweeping.printed(round + 2)]);
    }
    const records = await closedRecords(store);
    const won = (state: string) => records.filter((record) => record.state === state).length;
    const claimed = [settling, sweeping].map(({ lines }) =>
      lines.slice(1).reduce((sum, line) => sum + Number(line.split(' ')[1]), 0),
    );
    expect(claimed).toEqual([won('settled'), won('swept')]);
    expect(won('settled') + won('swept')).toBe(RACES);
    // A race that one side always wins is none.
    expect(Math.min(...claimed)).toBeGreaterThan(0);
    await expectMonthToMatch(store, records, { userId: 'ada', month: MARCH });
  }, 180_000);

  it(`lose and double nothing when processes are killed at ${RUNS} random points`, async () => {
    const random = seededRandom();
    const lines: string[] = [];
    const runs = Array.from({ length: RUNS }, (_, run) => ({ run, linesMin: 2 + random.below(40) })).values();
    const killOneAfterAnother = async (userId: string): Promise<void> => {
      for (const { run, linesMin } of runs) {
        const worker = start('run', `${userId}.${run}`);
        await worker.printed(linesMin);
        worker.kill();
        await worker.ended;
        lines.push(...worker.lines);
      }
    };
    await withSeed(random, async () => {
      await Promise.all(USERS.map(killOneAfterAnother));
      await sweepExpired({ store: store, clock: fakeClock(AFTER_LEASE) });
      const records = await closedRecords(store);
      expect(await store.listExpired(T0 + 1e9, 1)).toEqual([]);
      expect(new Set(records.map(({ state }) => state))).toEqual(new Set(['settled', 'swept']));
      expectNothingLost(records, lines);
      for (const userId of USERS) await expectMonthToMatch(store, records, { userId, month: MARCH });
    });
  }, 300_000);
}

describeOnBothStores('the ledgers of processes', proveLedger);

/** Every call that an upstream was asked for is in the ledger with a cost; one of a settled request with what was billed. */
function expectNothingLost(records: readonly LedgerRecord[], lines: readonly string[]): void {
  const rows = new Map<string, CallRow>(
    records.flatMap(({ requestId, calls }) => calls.map((call) => [`${requestId} ${call.callId}`, call] as const)),
  );
  const started = said(lines, 'started');
  expect(started.length).toBeGreaterThan(RUNS);
  expect(started.filter((call) => !((rows.get(call)?.costNanoUsd ?? 0) > 0))).toEqual([]);
  const settled = new Set(said(lines, 'settled'));
  const states = new Map(records.map(({ requestId, state }) => [requestId, state]));
  expect([...settled].filter((requestId) => states.get(requestId) !== 'settled')).toEqual([]);
  const wrong = said(lines, 'billed').filter((bill) => {
    const [requestId = '', callId = '', tokens] = bill.split(' ');
    const row = rows.get(`${requestId} ${callId}`);
    return settled.has(requestId) && row && row.promptTokens + row.completionTokens !== Number(tokens);
  });
  expect(wrong).toEqual([]);
}

/** Rest of the lines that begin with `word`. */
function said(lines: readonly string[], word: string): string[] {
  return lines.flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []));
}

/** All records that are closed. */
async function closedRecords(store: Store): Promise<ClosedRecord[]> {
  const records: ClosedRecord[] = [];
  for (let page = await store.listClosed(0, 500); page.length > 0; page = await store.listClosed(0, 500, page.at(-1)))
    records.push(...page);
  return records;
}
