import { DatabaseSync } from 'node:sqlite';
import { databasePath } from '../../src/store/embedded/database';
import { openEmbeddedStore } from '../../src/store/embedded/embedded-store';
import type { Store } from '../../src/store/store';
import { keptMax, keptRun, reservation } from '../support/store-records';
import { temporaryDirectory } from '../support/temporary-directory';

/*
 * No statement reads through what grows: SQLite finds its rows by an index, however many users, months and records there
 * are, and in the order that is asked for.
 */

/** Pages in the order of an index; the tag keys, one for each pepper; open records, by an index of these alone. */
const READ_WHOLE =
  /^SCAN (?:CONSTANT|documents USING (?:COVERING )?INDEX (?:subscriptions_by_user|tag_keys_by_pepper|ledger_open)$|\(subquery-\d+\)$|json_each)/;

it('every statement of the embedded store finds its rows by an index', async () => {
  const prepare = jest.spyOn(DatabaseSync.prototype, 'prepare');
  const { path, remove } = await temporaryDirectory();
  const store = openEmbeddedStore({ directory: path });
  await search(store);
  const statements = [...new Set(prepare.mock.calls.map(([sql]) => sql))];
  prepare.mockRestore();
  await store.close();
  const database = new DatabaseSync(databasePath(path));
  const plans = statements.map((sql) => ({ sql, steps: stepsOf(database, sql) }));
  database.close();
  await remove();
  expect(statements.filter((sql) => sql.includes('FROM documents WHERE kind')).length).toBeGreaterThanOrEqual(18);
  const through = plans.filter(({ steps }) => steps.some((step) => step.startsWith('SCAN') && !READ_WHOLE.test(step)));
  expect(through).toEqual([]);
});

/** Every search of the repositories. */
async function search(store: Store): Promise<void> {
  const record = { ...reservation('r'), calls: [], state: 'open' } as const;
  await store.setServerBudget(1);
  await store.listActs({ sinceMs: 0, max: 1 });
  await store.listActs({ userId: 'ada', sinceMs: 0, max: 1 });
  await store.listSubscriptions({ max: 1 });
  await store.listSubscriptions({ after: 'ada', max: 1 });
  await store.listKeys('ada');
  await store.listTagKeys();
  await store.listExpired(0, 1);
  await store.listExpired(0, 1, record);
  await store.listClosed(0, 1);
  await store.listClosed(0, 1, { ...record, settledAtMs: 0 });
  await store.listRequests('ada', { before: { startedAtMs: 1, requestId: 'r' }, max: 1 });
  await store.readSpend({ userId: 'ada', month: '2026-03' });
  await store.readServerSpend('2026-03');
  const run = keptRun('run');
  await store.createRun(run, Buffer.from('request'), keptMax({ bytes: 1 }));
  await store.listRuns('ada', { max: 1 });
  await store.listRuns('ada', { max: 1, before: run });
  await store.listThread('ada', 'run', 1);
  await store.readPart(run, 'events', 0);
  await store.deleteRuns('ada');
}

function stepsOf(database: DatabaseSync, sql: string): string[] {
  if (!/^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)/.test(sql)) return [];
  const rows = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
  return rows.map(({ detail }) => String(detail));
}
