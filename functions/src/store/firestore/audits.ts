import type { AuditStore } from '../../ledger/audit-store';
import { LEDGER_RETENTION_MS } from '../../ledger/ledger-store';
import type { FirestoreClient } from './client';
import { auditedUntilRef, auditRef } from './documents';
import { ledgerRecordOf, listLedger, SHARDS } from './ledger';

/** What the ledger came to, by month, and up to when; nothing of it is for the user's browser. */
export function firestoreAudits(client: FirestoreClient): AuditStore {
  return {
    listClosed: async (sinceMs, max, last) => {
      const page = await listLedger(client, 'listClosed', (ledger) => {
        const closed = ledger
          .where('shard', 'in', SHARDS)
          .where('settledAt', '>=', new Date(sinceMs))
          .orderBy('settledAt')
          .orderBy('__name__')
          .limit(max);
        return last ? closed.startAfter(new Date(last.settledAtMs), last.requestId) : closed;
      });
      return page.flatMap((snapshot) => {
        const record = ledgerRecordOf(snapshot);
        return record ? [{ ...record, settledAtMs: snapshot.get('settledAt').toMillis() }] : [];
      });
    },

    readAudit: (of) =>
      client.run('readAudit', async (session) => {
        const [audit] = await session.read([auditRef(session.db, of)]);
        return audit.exists ? { ...of, untilMs: audit.get('until').toMillis(), sums: audit.get('sums') } : undefined;
      }),

    keepAudit: ({ untilMs, sums, ...of }) =>
      client.decide('keepAudit', (session) => {
        const expireAt = new Date(untilMs + LEDGER_RETENTION_MS);
        const fields = { until: new Date(untilMs), sums, expireAt };
        return session.commit((writes) => writes.set(auditRef(session.db, of), fields));
      }),

    readAuditedUntil: () =>
      client.run('readAuditedUntil', async (session) => {
        const [progress] = await session.read([auditedUntilRef(session.db)]);
        return progress.exists ? progress.get('until').toMillis() : 0;
      }),

    keepAuditedUntil: (untilMs) =>
      client.decide('keepAuditedUntil', (session) =>
        session.commit((writes) => writes.set(auditedUntilRef(session.db), { until: new Date(untilMs) })),
      ),
  };
}
