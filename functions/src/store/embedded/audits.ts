import type { Audit, AuditStore } from '../../ledger/audit-store';
import type { UserMonth } from '../../ledger/usage-store';
import type { Connection } from './connection';
import { LEDGER_COLUMNS, type LedgerRow, recordOf } from './ledger';

type ClosedRow = LedgerRow & { readonly settledAtMs: number };
type Page = Pick<ClosedRow, 'settledAtMs' | 'requestId'> & { readonly max: number };

/** What the ledger came to, by month, as JSON. */
export function embeddedAudits(connection: Connection): AuditStore {
  const closed = connection.prepare<Page, ClosedRow>(`
    SELECT ${LEDGER_COLUMNS}, settled_at_ms AS settledAtMs FROM ledger
      WHERE state <> 'open' AND (settled_at_ms, request_id) > (:settledAtMs, :requestId)
      ORDER BY settled_at_ms, request_id LIMIT :max
  `);
  const find = connection.prepare<UserMonth, { untilMs: number; sums: string }>(
    'SELECT until_ms AS untilMs, sums FROM audits WHERE user_id = :userId AND month = :month',
  );
  const keep = connection.prepare<UserMonth & { untilMs: number; sums: string }>(`
    INSERT INTO audits VALUES (:userId, :month, :untilMs, :sums)
      ON CONFLICT DO UPDATE SET until_ms = excluded.until_ms, sums = excluded.sums
  `);
  const findUntil = connection.prepare<object, { untilMs: number }>('SELECT until_ms AS untilMs FROM audited_until');
  const keepUntil = connection.prepare<{ untilMs: number }>(
    'INSERT INTO audited_until VALUES (1, :untilMs) ON CONFLICT DO UPDATE SET until_ms = excluded.until_ms',
  );

  return {
    listClosed: (sinceMs, max, last) =>
      connection.read(() => {
        const { settledAtMs, requestId } = last ?? { settledAtMs: sinceMs, requestId: '' };
        return closed.all({ settledAtMs, requestId, max }).map(recordOf);
      }),

    readAudit: (of) =>
      connection.read((): Audit | undefined => {
        const row = find.get({ userId: of.userId, month: of.month });
        return row && { ...of, untilMs: row.untilMs, sums: JSON.parse(row.sums) };
      }),

    keepAudit: ({ sums, ...audit }) =>
      connection.write(() => {
        keep.run({ ...audit, sums: JSON.stringify(sums) });
      }),

    readAuditedUntil: () => connection.read(() => findUntil.get({})?.untilMs ?? 0),

    keepAuditedUntil: (untilMs) =>
      connection.write(() => {
        keepUntil.run({ untilMs });
      }),
  };
}
