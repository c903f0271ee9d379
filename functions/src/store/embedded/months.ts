import type { RequestConsumption } from '../../ledger/consumption';
import type { LedgerRecord } from '../../ledger/ledger-store';
import { capLines, OTHER_ID, type OtherName } from '../../ledger/month-lines';
import type { Consumption, UsageLine, UsageMonth, UsageStore, UserMonth } from '../../ledger/usage-store';
import type { Connection } from './connection';

const SUM_COLUMNS: Readonly<Record<keyof Consumption, string>> = {
  requests: 'requests',
  promptTokens: 'prompt_tokens',
  completionTokens: 'completion_tokens',
  costNanoUsd: 'cost_nano_usd',
};
const SUMS = Object.entries(SUM_COLUMNS)
  .map(([name, column]) => `${column} AS ${name}`)
  .join(', ');
const VALUES = ':requests, :promptTokens, :completionTokens, :costNanoUsd';

/** The tables refuse sums beyond 2^53 - 1, so an overflow fails the whole settlement. */
const ADD = addedTo((column) => `excluded.${column}`);
const ADD_VALUES = addedTo((_, name) => `:${name}`);

function addedTo(termOf: (column: string, name: keyof Consumption) => string): string {
  return Object.entries(SUM_COLUMNS)
    .map(([name, column]) => `${column} = ${column} + ${termOf(column, name as keyof Consumption)}`)
    .join(', ');
}

type Lines = 'model_lines' | 'key_lines';

/** Months with their lines per model and per key. */
export function embeddedMonths(connection: Connection): UsageStore {
  const find = connection.prepare<UserMonth, Omit<UsageMonth, 'models' | 'keys'>>(
    `SELECT month, ${SUMS} FROM months WHERE user_id = :userId AND month = :month`,
  );
  const linesOf = (table: Lines) =>
    connection.prepare<UserMonth, UsageLine>(`
      SELECT id, name, ${SUMS} FROM ${table} WHERE user_id = :userId AND month = :month
        ORDER BY cost_nano_usd DESC, prompt_tokens + completion_tokens DESC, id
    `);
  const [models, keys] = [linesOf('model_lines'), linesOf('key_lines')];

  return {
    readMonths: (userId, months) =>
      connection.read(() =>
        months.flatMap((month) => {
          const of = { userId, month };
          const sums = find.get(of);
          return sums ? [{ ...sums, models: models.all(of), keys: keys.all(of) }] : [];
        }),
      ),
  };
}

/** Adds a request to its month; to be run in the transaction that closed its record. */
export function monthAdditions(connection: Connection) {
  const add = connection.prepare<UserMonth & Consumption>(
    `INSERT INTO months VALUES (:userId, :month, ${VALUES}) ON CONFLICT DO UPDATE SET ${ADD}`,
  );
  const lineAdder = (table: Lines, otherName: OtherName) => {
    const addTo = connection.prepare<UserMonth & UsageLine>(`
      UPDATE ${table} SET name = :name, ${ADD_VALUES} WHERE user_id = :userId AND month = :month AND id = :id
    `);
    const listedCount = connection.prepare<UserMonth & { otherId: string }, { lines: number }>(
      `SELECT count(*) AS lines FROM ${table} WHERE user_id = :userId AND month = :month AND id <> :otherId`,
    );
    const addLine = connection.prepare<UserMonth & UsageLine>(`
      INSERT INTO ${table} VALUES (:userId, :month, :id, :name, ${VALUES})
        ON CONFLICT DO UPDATE SET name = excluded.name, ${ADD}
    `);
    return (of: UserMonth, lines: readonly UsageLine[]): void => {
      // Nearly all are listed: one statement each. The line of the others has a name of its own.
      const unlisted = lines.filter((line) => line.id === OTHER_ID || addTo.run({ ...of, ...line }) === 0);
      if (unlisted.length === 0) return;
      const size = listedCount.get({ ...of, otherId: OTHER_ID })?.lines ?? 0;
      for (const line of capLines(unlisted, { has: () => false, size }, otherName)) addLine.run({ ...of, ...line });
    };
  };
  const addModels = lineAdder('model_lines', 'Other models');
  const addKeys = lineAdder('key_lines', 'Other keys');

  type Settled = Pick<LedgerRecord, 'userId' | 'month' | 'keyId' | 'keyName'>;
  return ({ userId, month, keyId, keyName }: Settled, { total, models }: RequestConsumption): void => {
    const of = { userId, month };
    add.run({ ...of, ...total });
    addModels(of, models);
    addKeys(of, [{ ...total, id: keyId, name: keyName }]);
  };
}
