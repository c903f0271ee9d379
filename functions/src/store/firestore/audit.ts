import type { Query, QueryDocumentSnapshot } from 'firebase-admin/firestore';
import type { AuditStore, UserMonth } from '../store';
import type { FirestoreClient } from './client';
import { ledgerRecordOf, SHARDS } from './ledger-document';

/** Per page; nobody waits for an audit. */
const BUDGET_MS = 10_000;
const PAGE_SIZE = 1_000;

/** The ledger, read back in pages: one read for each record. */
export function firestoreAudit(client: FirestoreClient): AuditStore {
  return {
    listTouchedMonths: async (sinceMs) => {
      const months = new Map<string, UserMonth>();
      for (let last: QueryDocumentSnapshot | undefined; ; ) {
        const page = await closedSince(sinceMs, last);
        for (const snapshot of page) {
          const [userId, month]: string[] = [snapshot.get('uid'), snapshot.get('month')];
          if (userId !== undefined && month !== undefined) months.set(`${month} ${userId}`, { userId, month });
        }
        last = page.at(-1);
        if (page.length < PAGE_SIZE) return [...months.values()];
      }
    },

    listRecords: ({ userId, month }, { afterRequestId, max }) =>
      client.run({ name: 'listRecords', budgetMs: BUDGET_MS }, async (session) => {
        const ofMonth = session.db
          .collection('usageLedger')
          .where('uid', '==', userId)
          .where('month', '==', month)
          .orderBy(session.sdk.FieldPath.documentId())
          .limit(max);
        const page = afterRequestId === '' ? ofMonth : ofMonth.startAfter(afterRequestId);
        return (await session.find(page)).flatMap((snapshot) => ledgerRecordOf(snapshot) ?? []);
      }),
  };

  function closedSince(sinceMs: number, last: QueryDocumentSnapshot | undefined): Promise<QueryDocumentSnapshot[]> {
    return client.run({ name: 'listTouchedMonths', budgetMs: BUDGET_MS }, (session) => {
      const closed: Query = session.db
        .collection('usageLedger')
        .where('shard', 'in', SHARDS)
        .where('settledAt', '>=', new Date(sinceMs))
        .orderBy('settledAt')
        .select('uid', 'month')
        .limit(PAGE_SIZE);
      return session.find(last ? closed.startAfter(last) : closed);
    });
  }
}
