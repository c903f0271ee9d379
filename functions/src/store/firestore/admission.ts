import type { DocumentReference } from 'firebase-admin/firestore';
import { admitAll, type LogEntry, ownerOf } from '../../guard/rate-limit';
import { assertCounts } from '../../usage/consumption';
import type { Admission, AdmissionStore, RateLimit, Reservation } from '../store';
import type { FirestoreClient } from './client';
import { openFields } from './ledger-document';
import { type LimiterTime, onServerTime } from './limiter-time';
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
  readonly limiterTime: LimiterTime;
}

interface Request {
  readonly userId: string;
  readonly limit: RateLimit;
  readonly reservations: readonly Reservation[];
  readonly nowMs: number;
  readonly limiterTime: LimiterTime;
}

/** The limiter's log as read, and which of the requests have a ledger record already (known after a retry only). */
interface Situation {
  readonly log: RateLog;
  readonly opened: ReadonlySet<string>;
}

interface Decision {
  readonly admissions: Admission[];
  /** The log to store; undefined when it stays as it is. */
  readonly log: readonly LogEntry[] | undefined;
  /** Those whose ledger records are to be opened, once each. */
  readonly opening: readonly Reservation[];
}

/**
 * Admission: the limiter's log and the new ledger records in one commit, which fails unless the log is still the one it
 * was decided by. Where a commit's outcome is unknown the log is read again: our own request ids in it mean that it was
 * applied. Denials write nothing. Requests of one user are decided one batch after another, as they would only collide.
 */
export function firestoreAdmission(
  client: FirestoreClient,
  { logs, places, limiterTime }: AdmissionMemory,
): AdmissionStore {
  const queue = new Serial();

  return {
    admit: async (limit, reservations, nowMs) => {
      const userId = ownerOf(reservations);
      if (userId === undefined) return [];
      for (const { calls } of reservations) assertCounts(calls ?? []);
      const request = { userId, limit, reservations, nowMs, limiterTime };
      const admissions = await client.run({ name: 'admit', budgetMs: BUDGET_MS }, (session) =>
        queue.run(`${limit.plan} ${userId}`, () => session.untilDecided((tries) => attempt(session, request, tries))),
      );
      for (const [index, reservation] of reservations.entries()) {
        if (admissions[index]?.admitted) places.note(reservation);
      }
      return admissions;
    },
  };

  async function attempt(session: Session, request: Request, tries: number): Promise<Admission[]> {
    const ref = rateLogRef(session.db, request.userId, request.limit.plan);
    const recent = tries === 0 ? logs.take(ref.id) : undefined;
    const situation = recent ? { log: recent, opened: NONE } : await survey(session, request, { ref, tries });
    const decision = decide(request, situation);
    if (decision.log) {
      const fields = { log: decision.log, expireAt: new Date(request.nowMs + LOG_RETENTION_MS) };
      await write(session, { ref, fields, read: situation.log, opening: decision.opening });
      logs.forget(ref.id);
    }
    return decision.admissions;
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

function decide({ limit, reservations, nowMs, limiterTime }: Request, { log: read, opened }: Situation): Decision {
  const requestIds = reservations.map(({ requestId }) => requestId);
  const { entries, terms } =
    limiterTime === 'server' ? onServerTime(read, limit) : { entries: read.entries, terms: { limit, nowMs } };
  const { log, admissions } = admitAll(entries, requestIds, terms);
  // By entry, not by id: a request that left the window long ago is let in anew under its old id.
  const before = new Set(entries);
  const added = new Set(log.filter((entry) => !before.has(entry)).map(({ r }) => r));
  const byId = new Map(reservations.map((reservation) => [reservation.requestId, reservation]));
  const opening = [...byId.values()].filter(({ requestId }) => added.has(requestId) && !opened.has(requestId));
  return { admissions, log: added.size > 0 ? log : undefined, opening };
}

interface Commit {
  readonly ref: DocumentReference;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly read: RateLog;
  readonly opening: readonly Reservation[];
}

function write(session: Session, { ref, fields, read, opening }: Commit): Promise<void> {
  return session.commit((writes) => {
    if (read.updateTime) writes.update(ref, fields, { lastUpdateTime: read.updateTime });
    else writes.create(ref, fields);
    for (const reservation of opening) {
      const { requestId, calls } = reservation;
      if (calls) writes.create(ledgerRef(session.db, requestId), openFields(reservation, calls));
    }
  });
}
