import { type Admission, type AdmissionStore, admitAll, ownerOf, type RateLimit } from '../../guard/rate-limit';
import { assertCounts } from '../../usage/consumption';
import type { Reservation } from '../../usage/ledger-store';
import type { FirestoreClient } from './client';
import { ledgerRef, rateLogRef, replace } from './documents';
import { openFields } from './ledger';
import type { Memory } from './memory';
import { onServerTime, type RateLog, rateLogOf } from './rate-log';
import { Serial } from './serial';
import type { Session } from './session';

/** Logs are only of use for a minute; the database removes them some time after this. */
const LOG_RETENTION_MS = 60 * 60 * 1000;

/**
 * Whose time the limiter goes by. `server`: that of Firestore, one for all processes, whatever their own clocks say.
 * `caller`: the moment each admission is asked with, for tests that bring their own time.
 */
export type LimiterTime = 'server' | 'caller';

interface Batch {
  readonly userId: string;
  readonly limit: RateLimit;
  readonly reservations: readonly Reservation[];
  readonly nowMs: number;
}

/**
 * Admission: the limiter's log and the new ledger records in one commit, which fails unless the log is still the one it
 * was decided by. Where a commit's outcome is unknown the log is read again: our own request ids in it mean that it was
 * applied. Denials write nothing. Batches of one user are decided in the order they came.
 */
export function firestoreAdmission(client: FirestoreClient, memory: Memory, limiterTime: LimiterTime): AdmissionStore {
  const { logs } = memory;
  const queue = new Serial();

  return {
    admit: async (limit, reservations, nowMs) => {
      const userId = ownerOf(reservations);
      if (userId === undefined) return [];
      for (const { calls } of reservations) assertCounts(calls ?? []);
      const batch = { userId, limit, reservations, nowMs };
      const admissions = await client.run('admit', (session) =>
        queue.run(`${limit.name} ${userId}`, () => session.untilDecided((tries) => attempt(session, batch, tries))),
      );
      for (const [index, reservation] of reservations.entries()) {
        if (admissions[index]?.admitted) memory.noteRequest(reservation);
      }
      return admissions;
    },
  };

  async function attempt(session: Session, batch: Batch, tries: number): Promise<Admission[]> {
    const { read, opened } = await readLog(session, batch, tries);
    const { log, admissions, added } = decide(batch, read);
    if (added.size === 0) return admissions;
    await session.commit((writes) => {
      replace(writes, read, { log, expireAt: new Date(batch.nowMs + LOG_RETENTION_MS) });
      for (const [requestId, reservation] of added) {
        if (reservation.calls && !opened.has(requestId)) {
          writes.create(ledgerRef(session.db, requestId), openFields(reservation, reservation.calls));
        }
      }
    });
    logs.forget(read.ref.id);
    return admissions;
  }

  /** On a retry the ledger is read too: a record may exist whose entry in the log has long left the window. */
  async function readLog(session: Session, { userId, limit, reservations }: Batch, tries: number) {
    const { db } = session;
    const ref = rateLogRef(db, userId, limit.name);
    const recent = tries === 0 ? logs.take(ref.id) : undefined;
    if (recent) return { read: recent, opened: new Set() };
    const ledgerRefs = tries === 0 ? [] : reservations.map(({ requestId }) => ledgerRef(db, requestId));
    const [log, ...records] = await session.read([ref, ...ledgerRefs]);
    return { read: rateLogOf(log), opened: new Set(records.filter(({ exists }) => exists).map(({ id }) => id)) };
  }

  /** The log to store, the decisions, and the reservations that are new in the log, once each. */
  function decide({ limit, reservations, nowMs }: Batch, read: RateLog) {
    const { entries, terms } =
      limiterTime === 'server' ? onServerTime(read, limit) : { entries: read.entries, terms: { limit, nowMs } };
    const byId = new Map(reservations.map((reservation) => [reservation.requestId, reservation]));
    const requestIds = reservations.map(({ requestId }) => requestId);
    const { log, admissions } = admitAll(entries, requestIds, terms);
    // By entry, not by id: a request that left the window long ago is let in anew under its old id.
    const before = new Set(entries);
    const added = new Set(log.filter((entry) => !before.has(entry)).map(({ r }) => r));
    return { log, admissions, added: new Map([...byId].filter(([requestId]) => added.has(requestId))) };
  }
}
