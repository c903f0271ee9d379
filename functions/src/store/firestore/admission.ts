import type { DocumentReference } from 'firebase-admin/firestore';
import { admitAll, ownerOf } from '../../guard/rate-limit';
import { assertCounts } from '../../usage/consumption';
import type { Admission, AdmissionStore, RateLimit, Reservation } from '../store';
import type { FirestoreClient } from './client';
import { openFields } from './ledger-document';
import type { Places } from './places';
import { type RateLog, type RecentLogs, rateLogOf } from './recent-logs';
import { ledgerRef, rateLogRef } from './refs';
import { Serial } from './serial';
import type { Session } from './session';

const BUDGET_MS = 5_000;
/** Logs are only of use for a minute; the database removes them some time after this. */
const LOG_RETENTION_MS = 60 * 60 * 1000;

/** What admissions share with other operations. */
export interface AdmissionMemory {
  readonly logs: RecentLogs;
  readonly places: Places;
}

interface Request {
  readonly userId: string;
  readonly limit: RateLimit;
  readonly reservations: readonly Reservation[];
  readonly nowMs: number;
}

/** The limiter's log as read, and which of the requests have a ledger record already (known after a retry only). */
interface Situation {
  readonly log: RateLog;
  readonly opened: ReadonlySet<string>;
}

/**
 * Admission: the limiter's log and the new ledger records in one commit, which fails unless the log is still the one it
 * was decided by. Where a commit's outcome is unknown the log is read again: our own request ids in it mean that it was
 * applied. Denials write nothing. Requests of one user are decided one batch after another, as they would only collide.
 */
export function firestoreAdmission(client: FirestoreClient, { logs, places }: AdmissionMemory): AdmissionStore {
  const queue = new Serial();

  return {
    admit: async (limit, reservations, nowMs) => {
      const userId = ownerOf(reservations);
      if (userId === undefined) return [];
      for (const { calls } of reservations) assertCounts(calls ?? []);
      const request = { userId, limit, reservations, nowMs };
      return client.run({ name: 'admit', budgetMs: BUDGET_MS }, (session) =>
        queue.run(`${limit.plan} ${userId}`, () => session.untilDecided((tries) => attempt(session, request, tries))),
      );
    },
  };

  async function attempt(session: Session, request: Request, tries: number): Promise<Admission[]> {
    const { limit, reservations, nowMs } = request;
    const ref = rateLogRef(session.db, request.userId, limit.plan);
    const recent = tries === 0 ? logs.take(ref.id) : undefined;
    const situation = recent ? { log: recent, opened: NONE } : await survey(session, request, { ref, tries });
    const { entries } = situation.log;
    const requestIds = reservations.map(({ requestId }) => requestId);
    const { log, admissions } = admitAll(entries, requestIds, { limit, nowMs });
    const logged = new Set(entries.map(({ r }) => r));
    const admitted = reservations.filter((_, index) => admissions[index]?.admitted);
    const added = new Map(
      admitted.filter(({ requestId }) => !logged.has(requestId)).map((one) => [one.requestId, one]),
    );
    if (added.size > 0) {
      // Whatever becomes of this commit, what was read before it is out of date.
      logs.forget(ref.id);
      await write(session, { ref, situation, fields: { log, expireAt: new Date(nowMs + LOG_RETENTION_MS) }, added });
      logs.forget(ref.id);
    }
    for (const reservation of admitted) places.note(reservation);
    return admissions;
  }
}

const NONE: ReadonlySet<string> = new Set();

/** On a retry the ledger is read too: a record may exist whose entry in the log has long left the window. */
async function survey(
  session: Session,
  { reservations }: Request,
  { ref, tries }: { ref: DocumentReference; tries: number },
): Promise<Situation> {
  const ledgerRefs = tries === 0 ? [] : reservations.map(({ requestId }) => ledgerRef(session.db, requestId));
  const [log, ...records] = await session.read([ref, ...ledgerRefs]);
  if (!log) throw new Error('Firestore left a document out of its answer');
  return { log: rateLogOf(log), opened: new Set(records.filter(({ exists }) => exists).map(({ id }) => id)) };
}

interface Commit {
  readonly ref: DocumentReference;
  readonly situation: Situation;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly added: ReadonlyMap<string, Reservation>;
}

function write(session: Session, { ref, situation, fields, added }: Commit): Promise<void> {
  const { log, opened } = situation;
  return session.commit((writes) => {
    if (log.updateTime) writes.update(ref, fields, { lastUpdateTime: log.updateTime });
    else writes.create(ref, fields);
    for (const [requestId, reservation] of added) {
      const { calls } = reservation;
      if (calls && !opened.has(requestId)) {
        writes.create(ledgerRef(session.db, requestId), openFields(reservation, calls));
      }
    }
  });
}
