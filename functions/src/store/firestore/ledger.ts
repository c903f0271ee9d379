import { createHash } from 'node:crypto';
import type { DocumentSnapshot, Query, QueryDocumentSnapshot } from '@google-cloud/firestore';
import type { CallRow } from '../../ledger/call-row';
import type { LedgerRecord, LedgerStore, Reservation } from '../../ledger/ledger-store';
import type { FirestoreClient } from './client';
import { fieldsOf, ledgerRef, mapKey, recordOf, unchanged, wellFormed } from './documents';
import type { Memory } from './memory';

/** The sweep and the audit may take their time. */
const LISTING_BUDGET_MS = 10_000;

/** Open records are spread over these values, so that the index the sweep reads has no hot end. */
export const SHARDS: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/**
 * `usageLedger/{requestId}`. While open, `calls` holds the rows by hashed call id, so that a checkpoint can overwrite
 * single ones blindly. Closing removes it and writes `finalCalls`, which is what counts from then on: rows that a late
 * checkpoint adds to `calls` after that are never looked at.
 */
interface StoredRecord extends Omit<LedgerRecord, 'calls'> {
  readonly calls?: Readonly<Record<string, CallRow>>;
  readonly finalCalls?: readonly CallRow[];
}

/** Reading the ledger, in pages where there may be much. */
export function firestoreLedger(
  client: FirestoreClient,
  memory: Memory,
): Pick<LedgerStore, 'findRecord' | 'listExpired' | 'postpone'> {
  return {
    findRecord: (requestId) =>
      client.run('findRecord', async (session) => {
        const [snapshot] = await session.read([ledgerRef(session.db, requestId)]);
        return ledgerRecordOf(snapshot);
      }),

    listExpired: async (nowMs, max, last) => {
      const records = await listLedger(client, 'listExpired', (ledger) => {
        const expired = ledger
          .where('state', '==', 'open')
          .where('shard', 'in', SHARDS)
          .where('leaseUntil', '<', new Date(nowMs))
          .orderBy('leaseUntil')
          .orderBy('__name__')
          .limit(max);
        return last ? expired.startAfter(new Date(last.leaseUntilMs), last.requestId) : expired;
      });
      const expired = records.flatMap((snapshot) => ledgerRecordOf(snapshot) ?? []);
      for (const record of expired) memory.noteRequest(record);
      return expired;
    },

    postpone: (requestId, leaseUntilMs) =>
      client.run('postpone', async (session) => {
        const [record] = await session.read([ledgerRef(session.db, requestId)]);
        if (record.get('state') !== 'open') return;
        const leaseUntil = new Date(leaseUntilMs);
        await session.commit((writes) => writes.update(record.ref, { leaseUntil }, unchanged(record)));
      }),
  };
}

/** Records of the ledger, as a query finds them: one read each. */
export function listLedger(
  client: FirestoreClient,
  name: string,
  queryOf: (ledger: Query) => Query,
): Promise<QueryDocumentSnapshot[]> {
  return client.run(name, (session) => session.find(queryOf(session.db.collection('usageLedger'))), LISTING_BUDGET_MS);
}

/** A new, open record. */
export function openFields(reservation: Reservation, calls: readonly CallRow[]) {
  const byId = calls.map((call) => [mapKey(call.callId), wellFormed(call)]);
  const { estimateNanoUsd = 0 } = reservation;
  const estimate = estimateNanoUsd > 0 && { estimateNano: estimateNanoUsd };
  return { ...reservationFields(reservation), state: 'open', calls: Object.fromEntries(byId), ...estimate };
}

/** What a record holds from its beginning to its end. */
export function reservationFields(reservation: Reservation) {
  const { requestId, userId, keyId, keyName, endpoint, month, startedAtMs, leaseUntilMs, onGrant } = reservation;
  return {
    ...fieldsOf({ userId, keyId, keyName, endpoint, month, startedAtMs, leaseUntilMs, onGrant }),
    shard: createHash('sha256').update(requestId).digest().readUInt32BE() % SHARDS.length,
  };
}

/** The record of a ledger document, the calls of an open one in order of their ids; undefined when there is none. */
export function ledgerRecordOf(snapshot: DocumentSnapshot): LedgerRecord | undefined {
  const stored = recordOf<StoredRecord>(snapshot, 'requestId');
  if (!stored) return undefined;
  const { requestId, userId, keyId, keyName, endpoint, month, startedAtMs, leaseUntilMs, state, onGrant } = stored;
  const open = Object.values(stored.calls ?? {}).sort((a, b) => (a.callId < b.callId ? -1 : 1));
  const calls = state === 'open' ? open : (stored.finalCalls ?? []);
  const record = { requestId, userId, keyId, keyName, endpoint, month, startedAtMs, leaseUntilMs, calls, state };
  return { ...record, ...(onGrant && { onGrant }) };
}
