import type { DatabaseSync } from 'node:sqlite';
import { admitAll, type LogEntry, ownerOf } from '../../guard/rate-limit';
import type { Admission, RateLimit, Reservation } from '../store';
import { prepare } from './statement';

/** One sliding log per user and plan, as JSON: it is always read and written whole. Every function is synchronous. */
export function rateLogTable(db: DatabaseSync) {
  const read = prepare<[string, string], { log: string }>(
    db,
    'SELECT log FROM rate_logs WHERE user_id = ? AND plan = ?',
  );
  const write = prepare<[string, string, string]>(
    db,
    'INSERT INTO rate_logs VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET log = excluded.log',
  );

  return {
    /** Decides on the reservations of one user and logs those let in; to be run inside a write transaction. */
    decide: (limit: RateLimit, reservations: readonly Reservation[], nowMs: number): Admission[] => {
      const userId = ownerOf(reservations);
      if (userId === undefined) return [];
      const stored = read.get(userId, limit.plan);
      const entries: LogEntry[] = stored ? JSON.parse(stored.log) : [];
      const requestIds = reservations.map(({ requestId }) => requestId);
      const { log, admissions } = admitAll(entries, requestIds, { limit, nowMs });
      if (admissions.some(({ admitted }) => admitted)) write.run(userId, limit.plan, JSON.stringify(log));
      return admissions;
    },
  };
}
