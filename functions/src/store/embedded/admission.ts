import { type AdmissionStore, admitAll, type LogEntry, ownerOf, withoutFuture } from '../../guard/rate-limit';
import { type Clock, newId } from '../../lib/clock';
import { spendsOf } from './budgets';
import type { Connection } from './connection';
import { recordOpener } from './ledger';

/** A change of the clock's time by less is taken for its being kept right. */
const SET_BACK_MS = 1_000;

/** An entry of a log as it is stored. Older versions wrote neither `m` nor `p`. */
interface StoredEntry extends LogEntry {
  /** When, by the monotonic clock of the process that wrote it. */
  readonly m?: number;
  /** That process. */
  readonly p?: string;
}

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
  const p = newId(clock).slice(0, 8);

  return {
    admit: (limit, requests, nowMs) => {
      const m = clock.monotonicMs();
      return connection.commit(() => {
        const userId = ownerOf(requests);
        if (userId === undefined) return [];
        const { name } = limit;
        const stored: StoredEntry[] = JSON.parse(read.get({ userId, name })?.log ?? '[]');
        const entries = withoutFuture(inTime(stored, nowMs, m), nowMs);
        const { log, admissions } = admitAll(entries, requests, { limit, nowMs, spends: readSpends(requests) });
        const admitted = requests.filter((_, index) => admissions[index]?.admitted);
        const isPutRight = entries.some(({ t }, index) => t !== stored[index]?.t);
        if (admitted.length > 0 || isPutRight) {
          write.run({ userId, name, log: JSON.stringify(log.map((entry) => ({ m, p, ...entry }))) });
        }
        for (const reservation of admitted) open(reservation);
        return admissions;
      });
    },
  };

  /** The log, oldest first, with what this process wrote before the clock was set back where it lies by the new time. */
  function inTime(log: readonly StoredEntry[], nowMs: number, monotonicMs: number): readonly StoredEntry[] {
    const timeOf = ({ t, m, p: writer }: StoredEntry): number => {
      const ageMs = writer === p && m !== undefined ? monotonicMs - m : 0;
      return writer === p && ageMs > nowMs - t + SET_BACK_MS ? nowMs - ageMs : t;
    };
    return log.map((entry) => ({ ...entry, t: timeOf(entry) })).sort((a, b) => a.t - b.t);
  }
}
