import { type AuditStore, LEDGER_RETENTION_MS } from '../../ledger/ledger-store';
import type { UsageSums, UserMonth } from '../../ledger/usage-store';
import { type Documents, merge, write } from '../documents';
import { ledgerRecordOf, SHARDS, type StoredRecord } from './ledger';
import { at } from './refs';

/** Sums of the ledger by month, and the time up to which they hold; nothing of it is for the user's browser. */
export function auditRepository(documents: Documents): AuditStore {
  return {
    listClosed: async (sinceMs, max, last) => {
      const closed = await documents.find<StoredRecord>('listClosed', {
        collection: 'usageLedger',
        where: [
          ['shard', 'in', SHARDS],
          ['settledAt', '>=', sinceMs],
        ],
        orderBy: 'settledAt',
        after: last && { value: last.settledAtMs, id: last.requestId },
        max,
      });
      return closed.flatMap((stored) => {
        const record = ledgerRecordOf(stored);
        return record ? [{ ...record, settledAtMs: stored.fields?.settledAt ?? 0 }] : [];
      });
    },

    readAudit: async (of) => {
      const [{ fields }] = await documents.get('readAudit', [auditRef(of)]);
      return fields && { ...of, untilMs: fields.until, sums: fields.sums };
    },

    keepAudit: ({ untilMs, sums, ...of }) =>
      write(documents, 'keepAudit', [
        merge(auditRef(of), { until: untilMs, sums, expireAt: untilMs + LEDGER_RETENTION_MS }),
      ]),

    readAuditedUntil: async () => {
      const [{ fields }] = await documents.get('readAuditedUntil', [AUDITED_UNTIL]);
      return fields?.until ?? 0;
    },

    keepAuditedUntil: (untilMs) => write(documents, 'keepAuditedUntil', [merge(AUDITED_UNTIL, { until: untilMs })]),
  };
}

const AUDITED_UNTIL = at<{ readonly until: number }>('housekeeping', 'audited-until');

const auditRef = ({ userId, month }: UserMonth) =>
  at<{ readonly until: number; readonly sums: UsageSums }>('users', userId, 'audits', month);
