import type { CallRow } from '../../ledger/call-row';
import { assertCounts, consumptionOf } from '../../ledger/consumption';
import type { LedgerRecord, LedgerStore, Reservation, Settlement } from '../../ledger/ledger-store';
import type { Connection } from './connection';
import { grantSettlement } from './grants';
import { monthAdditions } from './months';
import { hasEnded, processName } from './owner';

const CHECKPOINT_EVERY_MS = 1_000;

/** All of a record but when it was closed, under the names of its properties. */
export const LEDGER_COLUMNS = `request_id AS requestId, user_id AS userId, key_id AS keyId, key_name AS keyName, endpoint, month,
  started_at_ms AS startedAtMs, lease_until_ms AS leaseUntilMs, state, calls, on_grant AS onGrant`;

/** A record as it is stored. */
export type LedgerRow = Omit<LedgerRecord, 'calls' | 'onGrant'> & { readonly calls: string; readonly onGrant: 0 | 1 };
type ById = Pick<LedgerRecord, 'requestId'>;

interface Limits {
  readonly nowMs: number;
  readonly max: number;
}

/** The ledger: one record per admitted request, its calls as JSON. */
export function embeddedLedger(connection: Connection): LedgerStore {
  const find = connection.prepare<ById, LedgerRow>(
    `SELECT ${LEDGER_COLUMNS} FROM ledger WHERE request_id = :requestId`,
  );
  const update = connection.prepare<ById & { calls: string }>(
    'UPDATE ledger SET calls = :calls WHERE request_id = :requestId',
  );
  const close = connection.prepare<Omit<Settlement, 'calls'> & { calls: string }, LedgerRow>(`
    UPDATE ledger SET state = :state, settled_at_ms = :settledAtMs, calls = :calls
      WHERE request_id = :requestId AND state = 'open' RETURNING ${LEDGER_COLUMNS}
  `);
  const expired = connection.prepare<Pick<LedgerRow, 'requestId' | 'leaseUntilMs'> & Limits, LedgerRow>(`
    SELECT ${LEDGER_COLUMNS} FROM ledger
      WHERE state = 'open' AND lease_until_ms < :nowMs AND (lease_until_ms, request_id) > (:leaseUntilMs, :requestId)
      ORDER BY lease_until_ms, request_id LIMIT :max
  `);
  const postpone = connection.prepare<Pick<LedgerRow, 'requestId' | 'leaseUntilMs'>>(
    "UPDATE ledger SET lease_until_ms = :leaseUntilMs WHERE request_id = :requestId AND state = 'open'",
  );
  const addToMonth = monthAdditions(connection);
  const settleGrant = grantSettlement(connection);
  const endLeasesOfTheDead = leasesOfTheDead(connection);
  const open = recordOpener(connection);
  const settle = (settlement: Settlement) => {
    const closed = close.get({ ...settlement, calls: encode(settlement.calls) });
    if (!closed) return false;
    const consumption = consumptionOf(settlement.calls);
    addToMonth(closed, consumption);
    if (closed.onGrant) settleGrant(closed, consumption.platformTokens);
    return true;
  };

  return {
    checkpointEveryMs: CHECKPOINT_EVERY_MS,

    onDisk: () => connection.onDisk(),

    checkpoint: (requestId, calls) =>
      connection.commit(() => {
        const row = find.get({ requestId });
        if (!row) throw new Error(`request ${requestId} was never reserved`);
        if (row.state !== 'open') return;
        const merged = new Map([...decode(row.calls), ...calls].map((call) => [call.callId, call]));
        update.run({ requestId, calls: encode([...merged.values()]) });
      }),

    settle: (settlement) =>
      connection.write(() => {
        if (settle(settlement)) return 'applied';
        return find.get(settlement) ? 'already' : 'missing';
      }),

    abandon: (reservation, settledAtMs) =>
      connection.write(() => {
        open(reservation);
        const { requestId } = reservation;
        return settle({ requestId, state: 'settled', calls: [], settledAtMs }) ? 'applied' : 'already';
      }),

    listExpired: (nowMs, max, last) =>
      connection.write(() => {
        endLeasesOfTheDead();
        const { leaseUntilMs, requestId } = last ?? { leaseUntilMs: -1, requestId: '' };
        return expired.all({ nowMs, max, leaseUntilMs, requestId }).map(recordOf);
      }),

    postpone: (requestId, leaseUntilMs) =>
      connection.write(() => {
        postpone.run({ requestId, leaseUntilMs });
      }),

    findRecord: (requestId) =>
      connection.read(() => {
        const row = find.get({ requestId });
        return row && recordOf(row);
      }),
  };
}

/** Opens a record; one that exists already is left as it is. To be run in a write transaction. */
export function recordOpener(connection: Connection): (reservation: Reservation) => void {
  const owner = processName(process.pid) ?? '';
  const insert = connection.prepare<Omit<LedgerRow, 'state'> & { owner: string; estimateNanoUsd: number }>(`
    INSERT INTO ledger VALUES (:requestId, :userId, :keyId, :keyName, :endpoint, :month, :startedAtMs, :leaseUntilMs,
      'open', NULL, :calls, :owner, :onGrant, :estimateNanoUsd) ON CONFLICT DO NOTHING
  `);
  return ({ calls, onGrant, estimateNanoUsd = 0, ...reservation }) => {
    const fields = { ...reservation, owner, onGrant: onGrant ? 1 : 0, estimateNanoUsd } as const;
    if (calls) insert.run({ ...fields, calls: encode(calls) });
  };
}

/**
 * Ends the leases of processes that have died, so that a restart settles at once what a crash left open (ADR 7). Once:
 * the records then have no owner, and may be postponed.
 */
function leasesOfTheDead(connection: Connection): () => void {
  const owners = connection.prepare<object, { owner: string }>(
    "SELECT DISTINCT owner FROM ledger WHERE state = 'open'",
  );
  const abandon = connection.prepare<{ owner: string }>(
    "UPDATE ledger SET lease_until_ms = 0, owner = '' WHERE state = 'open' AND owner = :owner",
  );
  return () => {
    for (const { owner } of owners.all({})) if (hasEnded(owner)) abandon.run({ owner });
  };
}

/** A stored record as it was written. */
export function recordOf<R extends LedgerRow>({ onGrant, calls, ...row }: R) {
  return { ...row, calls: decode(calls), ...(onGrant === 1 && { onGrant: true as const }) };
}

function encode(calls: readonly CallRow[]): string {
  assertCounts(calls);
  return JSON.stringify(calls);
}

function decode(json: string): CallRow[] {
  return JSON.parse(json);
}
