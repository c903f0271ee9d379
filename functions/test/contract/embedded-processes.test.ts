import { join } from 'node:path';
import type { LedgerRecord } from '../../src/ledger/ledger-store';
import { sweepExpired } from '../../src/ledger/sweep';
import { openEmbeddedStore } from '../../src/store/embedded/embedded-store';
import type { Store } from '../../src/store/store';
import { expectMonthToMatch } from '../proof/audit';
import { fakeClock } from '../support/fake-clock';
import { rateLimit, reservation, T0 } from '../support/store-records';
import { temporaryDirectory } from '../support/temporary-directory';
import { workerPool } from '../support/worker-pool';

const AFTER_LEASE = T0 + 660_001;

describe('several processes on one directory', () => {
  let scratch: { path: string; remove(): Promise<void> };
  const { start } = workerPool(join(__dirname, 'store-worker.ts'));
  beforeAll(async () => {
    scratch = await temporaryDirectory();
  });
  afterAll(() => scratch.remove());

  it('create the tables together and let in exactly 30 of 300 requests of one user', async () => {
    const directory = join(scratch.path, 'admit');
    const names = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6'];
    const processes = names.map((name) => start('admit', directory, name));
    await Promise.all(processes.map((process) => process.printed(1)));
    for (const process of processes) process.send(String(T0));
    await Promise.all(processes.map(({ ended }) => ended));
    const granted = processes.map(({ lines }) => Number(lines[1]?.split(' ')[1]));
    expect(granted.reduce((sum, count) => sum + count, 0)).toBe(30);

    const store = openEmbeddedStore({ directory });
    const ids = names.flatMap((name) => Array.from({ length: 50 }, (_, index) => `${name}-${index}`));
    expect((await recordsOf(store, ids)).length).toBe(30);
    const [word] = await store.admit(rateLimit(31), [reservation('one-more')], T0);
    expect(word).toMatchObject({ admitted: true, remaining: 0 });
    await store.close();
  });

  it('lose and double nothing when they are killed at any point', async () => {
    const directory = join(scratch.path, 'crash');
    const lines: string[] = [];
    for (let run = 0; run < 15; run += 1) {
      const pair = [`r${run}a`, `r${run}b`].map((name) => start('run', directory, name));
      await Promise.all(pair.map((process) => process.printed(1)));
      for (const process of pair) process.send(String(T0));
      // Any number of lines: a different place in some request each time.
      await pair[0]?.printed(2 + Math.floor(Math.random() * 300));
      for (const process of pair) process.kill();
      await Promise.all(pair.map(({ ended }) => ended));
      lines.push(...pair.flatMap((process) => process.lines));
    }

    const store = openEmbeddedStore({ directory });
    await sweepExpired({ store: store, clock: fakeClock(AFTER_LEASE) });
    const records = await recordsOf(store, said(lines, 'begin'));
    expectEverythingAcknowledged(records, lines);
    expect(await store.listExpired(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
    expect(new Set(records.map(({ state }) => state))).toEqual(new Set(['settled', 'swept']));
    await expectMonthToMatch(store, records, { userId: 'ada', month: '2026-03' });
    await store.close();
  });
});

/** Rest of the lines that begin with `word`. */
function said(lines: readonly string[], word: string): string[] {
  return lines.flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []));
}

async function recordsOf(store: Store, ids: readonly string[]): Promise<LedgerRecord[]> {
  const records = await Promise.all(ids.map((id) => store.findRecord(id)));
  return records.filter((record) => record !== undefined);
}

/** A settlement that was acknowledged is in the ledger as such, and so is every call that could have started. */
function expectEverythingAcknowledged(records: readonly LedgerRecord[], lines: readonly string[]): void {
  const settled = new Set(records.filter(({ state }) => state === 'settled').map(({ requestId }) => requestId));
  expect(said(lines, 'settled').filter((id) => !settled.has(id))).toEqual([]);
  const listed = new Set(
    records.flatMap(({ requestId, calls }) => calls.map(({ callId }) => `${requestId} ${callId}`)),
  );
  expect(said(lines, 'listed').filter((call) => !listed.has(call))).toEqual([]);
}
