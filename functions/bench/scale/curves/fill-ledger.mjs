import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const BLOCK = 50_000;
/** Between two records: a million of them are some 100 days, which is less than they are kept. */
const APART_MS = 9_000;

/** Fills the ledger below a directory up to `count` records, copies of a closed one under ids and times of their own. */
export function fillLedger(directory, count) {
  const database = new DatabaseSync(join(directory, 'ensemble.db'));
  try {
    const columns = database
      .prepare('PRAGMA table_info(ledger)')
      .all()
      .map(({ name }) => name);
    const own = { request_id: 'lower(hex(randomblob(16)))', started_at_ms: `started_at_ms - n * ${APART_MS}` };
    const insert = database.prepare(`
      WITH RECURSIVE numbers(n) AS (SELECT :first UNION ALL SELECT n + 1 FROM numbers WHERE n < :last)
      INSERT INTO ledger (${columns.join(', ')}) SELECT ${columns.map((name) => own[name] ?? name).join(', ')}
        FROM numbers, (SELECT * FROM ledger WHERE state <> 'open' ORDER BY started_at_ms DESC LIMIT 1)`);
    for (let there = countOf(database); there < count; there = countOf(database)) {
      insert.run({ first: there + 1, last: Math.min(count, there + BLOCK) });
    }
    // What lies in the log of writes would otherwise be what the server reads through.
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
}

function countOf(database) {
  return database.prepare('SELECT count(*) AS count FROM ledger').get().count;
}
