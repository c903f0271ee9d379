import { type AdmissionStore, admitAll, type LogEntry, ownerOf, withoutFuture } from '../../access/rate-limit';
import type { Clock } from '../../lib/clock';
import { Lru } from '../../lib/lru';
import { spendsOf } from './budgets';
import type { Connection } from './connection';
import { recordOpener } from './ledger';

/** Requests whose age is known at most: those of a minute, at 50 a second. */
const AGES_MAX = 3_000;
/** A clock that lost less was not set back. */
const SET_BACK_MS = 1_000;

/** One sliding log per user and limit, as JSON: it is always read and written whole. */
export function embeddedAdmission(connection: Connection, clock: Clock): AdmissionStore {
  const read = connection.prepare<{ userId: string; name: string }, { log: string }>(
    'SELECT log FROM rate_logs WHERE user_id = :userId AND plan = :name',
  );
  const write = connection.prepare<{ userId: string; name: string; log: string }>(
    'INSERT INTO rate_logs VALUES (:userId, :name, :log) ON CONFLICT DO UPDATE SET log = excluded.log',
  );
  const open = recordOpener(connection);
  const readSpends = spendsOf(connection);
  /** When this process let requests in, by the monotonic clock. */
  const letInMs = new Lru<string, number>(AGES_MAX);

  return {
    admit: (limit, requests, nowMs) => {
      const monotonicMs = clock.monotonicMs();
      return connection.commit(() => {
        const userId = ownerOf(requests);
        if (userId === undefined) return [];
        const { name } = limit;
        const stored: LogEntry[] = JSON.parse(read.get({ userId, name })?.log ?? '[]');
        const entries = withoutFuture(inTime(stored, nowMs, monotonicMs), nowMs);
        const { log, admissions } = admitAll(entries, requests, { limit, nowMs, spends: readSpends(requests) });
        const admitted = requests.filter((_, index) => admissions[index]?.admitted);
        const isPutRight = entries.some(({ t }, index) => t !== stored[index]?.t);
        if (admitted.length > 0 || isPutRight) write.run({ userId, name, log: JSON.stringify(log) });
        for (const reservation of admitted) open(reservation);
        for (const { requestId } of admitted) letInMs.set(requestId, monotonicMs);
        return admissions;
      });
    },
  };

  /** The log, oldest first, with what this process let in before the clock was set back where it lies by the new time. */
  function inTime(log: readonly LogEntry[], nowMs: number, monotonicMs: number): readonly LogEntry[] {
    const timeOf = ({ t, r }: LogEntry): number => {
      const ageMs = monotonicMs - (letInMs.get(r) ?? Number.POSITIVE_INFINITY);
      return ageMs > nowMs - t + SET_BACK_MS ? nowMs - ageMs : t;
    };
    return log.map((entry) => ({ ...entry, t: timeOf(entry) })).sort((a, b) => a.t - b.t);
  }
}
