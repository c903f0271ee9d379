import type { DatabaseSync } from 'node:sqlite';
import { LEDGER_RETENTION_MS } from '../../ledger/ledger-store';
import type { KeptRun } from '../../runs/run-store';
import type { Fields } from '../documents';
import { routerKeyRef, routerModelsRef } from '../repositories/byok';
import { insertion } from '../repositories/keys';
import { callsById, ledgerRef, reservationFields } from '../repositories/ledger';
import { monthRef } from '../repositories/months';
import { at, fieldsOf, mapKey, rateLogRef, subscriptionRef } from '../repositories/refs';
import { eventsPlace, partWrites, placeOf, runRef } from '../repositories/run-parts';
import { runFields } from '../repositories/runs';
import { type Rows, rowsOf } from './rows';

type Insert = Rows['insert'];

/** A row of a table of versions 1 to 14, its columns under the names of properties: `used_tokens` is `usedTokens`. */
// biome-ignore lint/suspicious/noExplicitAny: the tables are STRICT, and nothing of the old code is left to type them.
type OldRow = Readonly<Record<string, any>>;

/** Columns whose text is JSON. */
const JSON_COLUMNS = new Set(['limits', 'log', 'calls', 'enc', 'sums', 'details', 'about', 'progress']);

/** Moves what earlier versions kept in tables of their own into documents, and drops the tables: all up to version 13, runs in 14. */
export function moveTables(db: DatabaseSync): void {
  const { insert } = rowsOf((sql) => db.prepare(sql));
  for (const [table, move] of Object.entries(MOVES)) for (const row of oldRows(db, table)) move(insert, row);
  moveMonths(db, insert);
  moveRouterModels(db, insert);
  moveGrants(db, insert);
  moveRuns(db, insert);
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'documents'").all();
  for (const { name } of tables) db.exec(`DROP TABLE ${name}`);
}

/** Rows that become documents one by one, by their table. */
const MOVES: Readonly<Record<string, (put: Insert, row: OldRow) => void>> = {
  api_keys: (put, { limits, ...key }) => {
    const record = { ...(key as Parameters<typeof insertion>[0]), ...limits };
    for (const write of insertion(record)) if (write.kind === 'create') put(write.ref, write.fields as Fields);
  },
  tag_keys: (put, { pepperVersion, tagKey }) => put(at('tagKeys', pepperVersion), { tagKey }),
  subscriptions: (put, { userId, ...statement }) => {
    const given = Object.entries(statement).filter(([, value]) => value !== null);
    put(subscriptionRef(userId), fieldsOf(Object.fromEntries(given)));
  },
  rate_logs: (put, { userId, plan, log }) => put(rateLogRef(userId, plan), { log }),
  ledger: (put, row) => put(ledgerRef(row['requestId']), recordFields(row)),
  router_keys: (put, { userId, ...key }) => put(routerKeyRef(userId), fieldsOf(key)),
  idempotency: (put, { id, fingerprint, requestId, leaseUntilMs, expiresAtMs: expireAt, reply }) => {
    const parts = reply ? { parts: 1 } : {};
    put(at('idempotency', id), { fingerprint, requestId, leaseUntil: leaseUntilMs, expireAt, ...parts });
    if (reply) put(at('idempotency', id, 'replyParts', `${requestId}~0`), { bytes: reply, expireAt });
  },
  audits: (put, { userId, month, untilMs, sums }) =>
    put(at('users', userId, 'audits', month), { until: untilMs, sums, expireAt: untilMs + LEDGER_RETENTION_MS }),
  audited_until: (put, { untilMs }) => put(at('housekeeping', 'audited-until'), { until: untilMs }),
  server_budget: (put, { budgetNanoUsd }) => put(at('server', 'budget'), { budgetNano: budgetNanoUsd }),
  acts: (put, { actId, ...act }) =>
    put(at('acts', actId), { ...fieldsOf(act), expireAt: act['atMs'] + LEDGER_RETENTION_MS }),
};

function recordFields(row: OldRow): Fields {
  const { calls, settledAtMs, startedAtMs, state, owner, onGrant, estimateNanoUsd } = row;
  const { onGrant: _, ...record } = reservationFields(row as Parameters<typeof reservationFields>[0]);
  const common = { ...record, ...(onGrant && { onGrant: true }), state };
  return state === 'open'
    ? { ...common, calls: callsById(calls), owner, ...(estimateNanoUsd && { estimateNano: estimateNanoUsd }) }
    : { ...common, finalCalls: calls, settledAt: settledAtMs, expireAt: startedAtMs + LEDGER_RETENTION_MS };
}

function moveMonths(db: DatabaseSync, put: Insert): void {
  const countsOf = ({ promptTokens: ctx, completionTokens: gen, costNanoUsd: costNano }: OldRow) => {
    return { ctx, gen, costNano };
  };
  const linesOf = (table: string, { userId, month }: OldRow): Fields =>
    byKey(oldRows(db, table, { user_id: userId, month }), 'id', ({ id, name, requests: n, ...counts }) => {
      return { id, name, n, ...countsOf(counts) };
    });
  for (const row of oldRows(db, 'months')) {
    const { userId, month, requests: nRequests } = row;
    const lines = { m: linesOf('model_lines', row), k: linesOf('key_lines', row) };
    put(monthRef({ userId, month }), { month, v: 1, nRequests, ...countsOf(row), ...lines });
  }
}

function moveRouterModels(db: DatabaseSync, put: Insert): void {
  const byUser = Map.groupBy(oldRows(db, 'router_models'), ({ userId }) => userId);
  const last4s = new Map([...oldRows(db, 'router_keys')].map(({ userId, last4 }) => [userId, { last4 }]));
  for (const userId of new Set([...byUser.keys(), ...last4s.keys()])) {
    const rows = byUser.get(userId) ?? [];
    const models = byKey(rows, 'slug', ({ userId: _, vision, tools, ...model }) =>
      fieldsOf({ ...model, vision: vision === 1, tools: tools === 1 }),
    );
    put(routerModelsRef(userId), { models, count: rows.length, ...last4s.get(userId) });
  }
}

function moveGrants(db: DatabaseSync, put: Insert): void {
  const keyOf = ({ userId, month }: OldRow) => JSON.stringify([userId, month]);
  const used = new Map([...oldRows(db, 'grants')].map((row) => [keyOf(row), row['usedTokens']]));
  const leases = Map.groupBy(oldRows(db, 'grant_leases'), keyOf);
  for (const key of new Set([...used.keys(), ...leases.keys()])) {
    const [userId, month] = JSON.parse(key);
    const open = byKey(leases.get(key) ?? [], 'requestId', ({ requestId: id, tokens: est, leaseUntilMs }) => {
      return { id, est, leaseUntil: leaseUntilMs };
    });
    const expireAt = Date.parse(`${month}-01`) + LEDGER_RETENTION_MS;
    put(at('users', userId, 'byok', `grant-${month}`), { used: used.get(key) ?? 0, open, expireAt });
  }
}

function moveRuns(db: DatabaseSync, put: Insert): void {
  for (const { run: row, about, progress, stopRequested, ...columns } of oldRows(db, 'runs')) {
    // It is being deleted.
    if (columns['userId'] === '') continue;
    const { owner, ...texts } = about;
    const run = { ...columns, ...texts, ...progress, stopRequested: stopRequested === 1 } as KeptRun;
    const parts = [...oldRows(db, 'run_parts', { run: row })].map(({ kind, first: from, after: to, bytes }) => {
      const name = kind === 'evaluation' ? `evaluation-${from}` : kind;
      const place = kind === 'events' ? eventsPlace(from, bytes) : placeOf(name, bytes);
      const fields = { bytes, expireAt: run.expiresAtMs, ...(kind === 'events' && { from, to }) };
      for (const write of partWrites(run, place, fields)) if (write.kind === 'merge') put(write.ref, write.patch);
      return { kind, place, length: bytes.length };
    });
    const placesOf = (wanted: string) => parts.filter(({ kind }) => kind === wanted).map(({ place }) => place);
    const [request = placeOf('request', new Uint8Array())] = placesOf('request');
    const bytes = parts.reduce((sum, { length }) => sum + length, 0);
    put(runRef(run), { ...runFields(run, request, owner), evaluations: placesOf('evaluation'), bytes });
  }
}

/** Rows as fields by `mapKey` of one of their columns. */
function byKey(rows: Iterable<OldRow>, column: string, fieldsIn: (row: OldRow) => Fields): Fields {
  return Object.fromEntries([...rows].map((row) => [mapKey(row[column]), fieldsIn(row)]));
}

/** Rows in the order they were written; none where the table came later. */
function* oldRows(
  db: DatabaseSync,
  table: string,
  of: Readonly<Record<string, string | number>> = {},
): Generator<OldRow> {
  if (!db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table)) return;
  const conditions = Object.keys(of).map((column) => `${column} = :${column}`);
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
  for (const row of db.prepare(`SELECT * FROM ${table} ${where}`).iterate(of)) {
    const named = Object.entries(row).map(([column, value]) => {
      const name = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      return [name, JSON_COLUMNS.has(name) && value !== null ? JSON.parse(String(value)) : value] as const;
    });
    yield Object.fromEntries(named);
  }
}
