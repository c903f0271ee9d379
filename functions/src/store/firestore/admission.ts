import type { Spend } from '../../access/budget';
import {
  type Admission,
  type AdmissionRequest,
  type AdmissionStore,
  admitAll,
  ownerOf,
  type RateLimit,
  withoutFuture,
} from '../../access/rate-limit';
import { assertCounts } from '../../ledger/consumption';
import { readSpends } from './budgets';
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
  readonly requests: readonly AdmissionRequest[];
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
    admit: async (limit, requests, nowMs) => {
      const userId = ownerOf(requests);
      if (userId === undefined) return [];
      for (const { calls } of requests) assertCounts(calls ?? []);
      const batch = { userId, limit, requests, nowMs };
      const admissions = await client.run('admit', (session) =>
        queue.run(`${limit.name} ${userId}`, () => session.untilDecided((tries) => attempt(session, batch, tries))),
      );
      for (const [index, request] of requests.entries()) {
        if (admissions[index]?.admitted) memory.noteRequest(request);
      }
      return admissions;
    },
  };

  async function attempt(session: Session, batch: Batch, tries: number): Promise<Admission[]> {
    const { read, opened } = await readLog(session, batch, tries);
    // After the log: what another process sets aside meanwhile changes the log, and this commit fails.
    const spends = await readSpends(session, batch.requests);
    const { log, admissions, added, isPutRight } = decide(batch, read, spends);
    if (added.size === 0 && !isPutRight) return admissions;
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
  async function readLog(session: Session, { userId, limit, requests }: Batch, tries: number) {
    const { db } = session;
    const ref = rateLogRef(db, userId, limit.name);
    const recent = tries === 0 ? logs.take(ref.id) : undefined;
    if (recent) return { read: recent, opened: new Set() };
    const ledgerRefs = tries === 0 ? [] : requests.map(({ requestId }) => ledgerRef(db, requestId));
    const [log, ...records] = await session.read([ref, ...ledgerRefs]);
    return { read: rateLogOf(log), opened: new Set(records.filter(({ exists }) => exists).map(({ id }) => id)) };
  }

  /** The log to store, the decisions, and the requests that are new in the log, once each. */
  function decide({ limit, requests, nowMs }: Batch, read: RateLog, spends: ReadonlyMap<string, Spend>) {
    const { entries: stamped, terms } =
      limiterTime === 'server' ? onServerTime(read, limit) : { entries: read.entries, terms: { limit, nowMs } };
    const entries = withoutFuture(stamped, terms.nowMs);
    const byId = new Map(requests.map((request) => [request.requestId, request]));
    const { log, admissions } = admitAll(entries, requests, { ...terms, spends });
    // By entry, not by id: a request that left the window long ago is let in anew under its old id.
    const before = new Set(entries);
    const added = new Set(log.filter((entry) => !before.has(entry)).map(({ r }) => r));
    const newById = new Map([...byId].filter(([requestId]) => added.has(requestId)));
    return { log, admissions, added: newById, isPutRight: entries !== stamped };
  }
}
