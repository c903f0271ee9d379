import { type AdmissionStore, admitAll, ownerOf } from '../../guard/rate-limit';
import { spendsOf } from './budgets';
import type { Connection } from './connection';
import { recordOpener } from './ledger';

/** One sliding log per user and limit, as JSON: it is always read and written whole. */
export function embeddedAdmission(connection: Connection): AdmissionStore {
  const read = connection.prepare<{ userId: string; name: string }, { log: string }>(
    'SELECT log FROM rate_logs WHERE user_id = :userId AND plan = :name',
  );
  const write = connection.prepare<{ userId: string; name: string; log: string }>(
    'INSERT INTO rate_logs VALUES (:userId, :name, :log) ON CONFLICT DO UPDATE SET log = excluded.log',
  );
  const open = recordOpener(connection);
  const readSpends = spendsOf(connection);

  return {
    admit: (limit, requests, nowMs) =>
      connection.commit(() => {
        const userId = ownerOf(requests);
        if (userId === undefined) return [];
        const { name } = limit;
        const entries = JSON.parse(read.get({ userId, name })?.log ?? '[]');
        const { log, admissions } = admitAll(entries, requests, { limit, nowMs, spends: readSpends(requests) });
        const admitted = requests.filter((_, index) => admissions[index]?.admitted);
        if (admitted.length > 0) write.run({ userId, name, log: JSON.stringify(log) });
        for (const reservation of admitted) open(reservation);
        return admissions;
      }),
  };
}
