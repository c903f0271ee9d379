import type { LedgerStore } from '../store';
import type { FirestoreClient } from './client';
import { ledgerRecordOf, SHARDS } from './ledger-document';
import type { Places } from './places';
import { ledgerRef } from './refs';

const READ_BUDGET_MS = 5_000;
/** The sweep may take its time. */
const SWEEP_BUDGET_MS = 10_000;

/** Reading the ledger. */
export function firestoreLedger(
  client: FirestoreClient,
  places: Places,
): Pick<LedgerStore, 'findRecord' | 'listExpired'> {
  return {
    findRecord: (requestId) =>
      client.run({ name: 'findRecord', budgetMs: READ_BUDGET_MS }, async (session) => {
        const [snapshot] = await session.read([ledgerRef(session.db, requestId)]);
        return ledgerRecordOf(snapshot);
      }),

    listExpired: (nowMs, max) =>
      client.run({ name: 'listExpired', budgetMs: SWEEP_BUDGET_MS }, async (session) => {
        const expired = session.db
          .collection('usageLedger')
          .where('state', '==', 'open')
          .where('shard', 'in', SHARDS)
          .where('leaseUntil', '<', new Date(nowMs))
          .orderBy('leaseUntil')
          .limit(max);
        const records = (await session.find(expired)).flatMap((snapshot) => ledgerRecordOf(snapshot) ?? []);
        for (const record of records) places.note(record);
        return records;
      }),
  };
}
