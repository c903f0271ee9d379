import { DatabaseSync } from 'node:sqlite';
import { databasePath } from '../../src/store/embedded/database';
import { openEmbeddedStore } from '../../src/store/embedded/embedded-store';
import { temporaryDirectory } from '../support/temporary-directory';

/*
 * No statement reads through what grows: SQLite finds its rows by an index, however many users, months and records there
 * are, and in the order that is asked for.
 */

/** What holds a row, or one for each pepper; and of the ledger, by an index of these alone, the records that are open. */
const READ_WHOLE =
  /^SCAN (?:CONSTANT|server_budget$|audited_until$|tag_keys$|ledger USING INDEX ledger_open_|\(subquery-\d+\)$)/;

it('every statement of the embedded store finds its rows by an index', async () => {
  const prepare = jest.spyOn(DatabaseSync.prototype, 'prepare');
  const { path, remove } = await temporaryDirectory();
  const store = openEmbeddedStore({ directory: path });
  const statements = [...new Set(prepare.mock.calls.map(([sql]) => sql))];
  prepare.mockRestore();
  await store.close();
  const database = new DatabaseSync(databasePath(path));
  const plans = statements.map((sql) => ({ sql, steps: stepsOf(database, sql) }));
  database.close();
  await remove();
  expect(statements.length).toBeGreaterThan(50);
  const through = plans.filter(({ steps }) => steps.some((step) => step.startsWith('SCAN') && !READ_WHOLE.test(step)));
  expect(through).toEqual([]);
});

function stepsOf(database: DatabaseSync, sql: string): string[] {
  if (!/^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)/.test(sql)) return [];
  const rows = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
  return rows.map(({ detail }) => String(detail));
}
