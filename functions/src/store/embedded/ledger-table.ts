import type { DatabaseSync } from 'node:sqlite';
import type { CallRow } from '../../usage/call-row';
import { assertCounts } from '../../usage/consumption';
import { LEDGER_RETENTION_MS } from '../../usage/retention';
import type { LedgerRecord, Reservation, Settlement, UserMonth } from '../store';
import { hasEnded, thisProcess } from './owner';
import { prepare } from './statement';

/** Records removed per opening at most, so that no start is slow for long. */
const PRUNE_MAX = 10_000;

const COLUMNS = `request_id AS requestId, user_id AS userId, key_id AS keyId, key_name AS keyName, endpoint, month,
  started_at_ms AS startedAtMs, lease_until_ms AS leaseUntilMs, state, calls, on_grant AS onGrant`;

type LedgerRow = Omit<LedgerRecord, 'calls' | 'onGrant'> & { readonly calls: string; readonly onGrant: 0 | 1 };

/** Whose request was settled, when it began and the month it is booked in. */
export type Settled = Pick<LedgerRecord, 'userId' | 'keyId' | 'keyName' | 'month' | 'startedAtMs'> & {
  readonly onGrant: 0 | 1;
};

/** The ledger: one record per admitted request, its calls as JSON. Every function is synchronous. */
export function ledgerTable(db: DatabaseSync) {
  const find = prepare<[string], LedgerRow>(db, `SELECT ${COLUMNS} FROM ledger WHERE request_id = ?`);
  const insert = prepare<[string, string, string, string, string, string, number, number, string, string, number]>(
    db,
    "INSERT INTO ledger VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'open', NULL, ?, ?, ?) ON CONFLICT DO NOTHING",
  );
  const update = prepare<[string, string]>(db, 'UPDATE ledger SET calls = ? WHERE request_id = ?');
  const close = prepare<[string, number, string, string], Settled>(
    db,
    `UPDATE ledger SET state = ?, settled_at_ms = ?, calls = ? WHERE request_id = ? AND state = 'open'
     RETURNING user_id AS userId, key_id AS keyId, key_name AS keyName, month, started_at_ms AS startedAtMs,
       on_grant AS onGrant`,
  );
  const expired = prepare<[number, number], LedgerRow>(
    db,
    `SELECT ${COLUMNS} FROM ledger WHERE state = 'open' AND lease_until_ms < ? ORDER BY lease_until_ms LIMIT ?`,
  );
  const touched = prepare<[number], UserMonth>(
    db,
    "SELECT DISTINCT user_id AS userId, month FROM ledger WHERE state <> 'open' AND settled_at_ms >= ?",
  );
  const ofMonth = prepare<[string, string, string, number], LedgerRow>(
    db,
    `SELECT ${COLUMNS} FROM ledger WHERE user_id = ? AND month = ? AND request_id > ? ORDER BY request_id LIMIT ?`,
  );
  const owners = prepare<[], { readonly owner: string }>(db, "SELECT DISTINCT owner FROM ledger WHERE state = 'open'");
  const abandon = prepare<[string]>(db, "UPDATE ledger SET lease_until_ms = 0 WHERE state = 'open' AND owner = ?");
  const owner = thisProcess();
  const prune = prepare<[number, number]>(
    db,
    `DELETE FROM ledger WHERE rowid IN
       (SELECT rowid FROM ledger WHERE state <> 'open' AND started_at_ms < ? ORDER BY started_at_ms LIMIT ?)`,
  );

  return {
    /** Opens the record; one that exists already is left as it is. */
    open: (reservation: Reservation, calls: readonly CallRow[]): void => {
      const { requestId, userId, keyId, keyName, endpoint, month, startedAtMs, leaseUntilMs, onGrant } = reservation;
      const times = [startedAtMs, leaseUntilMs] as const;
      insert.run(requestId, userId, keyId, keyName, endpoint, month, ...times, encode(calls), owner, onGrant ? 1 : 0);
    },

    checkpoint: (requestId: string, calls: readonly CallRow[]): void => {
      const row = find.get(requestId);
      if (!row) throw new Error(`request ${requestId} was never reserved`);
      if (row.state !== 'open') return;
      const merged = new Map(decode(row.calls).map((call) => [call.callId, call]));
      for (const call of calls) merged.set(call.callId, call);
      update.run(encode([...merged.values()]), requestId);
    },

    /** Closes an open record with its final calls and says whose it was; undefined when it was not open. */
    close: ({ requestId, state, calls, settledAtMs }: Settlement): Settled | undefined =>
      close.get(state, settledAtMs, encode(calls), requestId),

    find: (requestId: string): LedgerRecord | undefined => {
      const row = find.get(requestId);
      return row && recordOf(row);
    },

    /** Ends the leases of processes that have died: nobody needs to wait for those to run out. */
    endLeasesOfTheDead: (): void => {
      for (const dead of owners.all()) if (hasEnded(dead.owner)) abandon.run(dead.owner);
    },

    listExpired: (nowMs: number, max: number): LedgerRecord[] => expired.all(nowMs, max).map(recordOf),

    listTouchedMonths: (sinceMs: number): UserMonth[] => touched.all(sinceMs).map((row) => ({ ...row })),

    listRecords: ({ userId, month }: UserMonth, afterRequestId: string, max: number): LedgerRecord[] =>
      ofMonth.all(userId, month, afterRequestId, max).map(recordOf),

    /** Removes some of the closed records that are past their retention. */
    prune: (nowMs: number): number => prune.run(nowMs - LEDGER_RETENTION_MS, PRUNE_MAX),
  };
}

function recordOf({ onGrant, calls, ...row }: LedgerRow): LedgerRecord {
  return { ...row, calls: decode(calls), ...(onGrant === 1 && { onGrant: true }) };
}

function encode(calls: readonly CallRow[]): string {
  assertCounts(calls);
  return JSON.stringify(calls);
}

function decode(json: string): CallRow[] {
  return JSON.parse(json);
}
