import type { DatabaseSync } from 'node:sqlite';
import type { Consumption, LineConsumption, RequestConsumption } from '../../usage/consumption';
import { LAST_USED_STEP_MS } from '../../usage/retention';
import type { UsageLine, UsageMonth } from '../store';
import type { Settled } from './ledger-table';
import { prepare } from './statement';

const SUMS = `requests, prompt_tokens AS promptTokens, completion_tokens AS completionTokens,
  cost_nano_usd AS costNanoUsd`;

/** The tables refuse sums beyond 2^53 - 1, so an overflow fails the whole settlement. */
const ADD = ['requests', 'prompt_tokens', 'completion_tokens', 'cost_nano_usd']
  .map((sum) => `${sum} = ${sum} + excluded.${sum}`)
  .join(', ');

type Sums = [number, number, number, number];
type MonthRow = Omit<UsageMonth, 'models' | 'keys'>;

/** Months and their lines per model and per key. Every function is synchronous. */
export function usageTables(db: DatabaseSync) {
  const addMonth = prepare<[string, string, ...Sums]>(
    db,
    `INSERT INTO months VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET ${ADD}`,
  );
  const readMonth = prepare<[string, string], MonthRow>(
    db,
    `SELECT month, ${SUMS} FROM months WHERE user_id = ? AND month = ?`,
  );
  const models = lineTable(db, 'model_lines');
  const keys = lineTable(db, 'key_lines');
  const keyUsed = prepare<[number, string, number]>(
    db,
    'UPDATE api_keys SET last_used_at_ms = ? WHERE key_id = ? AND (last_used_at_ms IS NULL OR last_used_at_ms <= ?)',
  );

  return {
    /** Adds one settled request to its month; to be run in the transaction that closed its record. */
    add: ({ userId, month, keyId, keyName, startedAtMs }: Settled, { total, models: shares }: RequestConsumption) => {
      addMonth.run(userId, month, ...sumsOf(total));
      for (const share of shares) models.add(userId, month, share);
      keys.add(userId, month, { ...total, id: keyId, name: keyName });
      keyUsed.run(startedAtMs, keyId, startedAtMs - LAST_USED_STEP_MS);
    },

    /** To be run in a read transaction, so that sums and lines belong together. */
    readMonths: (userId: string, months: readonly string[]): UsageMonth[] =>
      months.flatMap((month) => {
        const row = readMonth.get(userId, month);
        return row ? [{ ...row, models: models.list(userId, month), keys: keys.list(userId, month) }] : [];
      }),
  };
}

function lineTable(db: DatabaseSync, table: 'model_lines' | 'key_lines') {
  const add = prepare<[string, string, string, string, ...Sums]>(
    db,
    `INSERT INTO ${table} VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET name = excluded.name, ${ADD}`,
  );
  const list = prepare<[string, string], UsageLine>(
    db,
    `SELECT id, name, ${SUMS} FROM ${table} WHERE user_id = ? AND month = ?
     ORDER BY cost_nano_usd DESC, prompt_tokens + completion_tokens DESC, id`,
  );
  return {
    add: (userId: string, month: string, share: LineConsumption): void => {
      add.run(userId, month, share.id, share.name, ...sumsOf(share));
    },
    list: (userId: string, month: string): UsageLine[] => list.all(userId, month).map((row) => ({ ...row })),
  };
}

function sumsOf({ requests, promptTokens, completionTokens, costNanoUsd }: Consumption): Sums {
  return [requests, promptTokens, completionTokens, costNanoUsd];
}
