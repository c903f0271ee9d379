import { monthsToTally } from '../../access/budget';
import { type AdmissionStore, admitAll, ownerOf, withoutFuture } from '../../access/rate-limit';
import { assertCounts } from '../../ledger/consumption';
import { change, create, type Documents } from '../documents';
import { spendOf, spendReads } from './budgets';
import { type KnownRequests, ledgerRef, openFields, type Processes } from './ledger';
import type { LimiterClock, StoredLog } from './limiter-clock';
import { rateLogRef } from './refs';

/** Logs are only of use for a minute; the database removes them some time after this. */
const LOG_RETENTION_MS = 60 * 60 * 1000;

interface AdmissionDeps {
  readonly known: KnownRequests;
  readonly limiterClock: LimiterClock;
  readonly processes?: Processes | undefined;
}

/**
 * Admission: the limiter's log and the new ledger records in one commit, which fails unless the log is still the one it
 * was decided by. Where a commit's outcome is unknown the log is read again: our own request ids in it mean that it was
 * applied. Denials write nothing. Batches of one user are decided in the order they came.
 */
export function admissionRepository(
  documents: Documents,
  { known, limiterClock, processes }: AdmissionDeps,
): AdmissionStore {
  return {
    admit: async (limit, requests, nowMs) => {
      const userId = ownerOf(requests);
      if (userId === undefined) return [];
      for (const { calls } of requests) assertCounts(calls ?? []);
      const byId = new Map(requests.map((request) => [request.requestId, request]));
      // On a retry a record may exist whose entry in the log has long left the window.
      const records = [...byId.keys()].map(ledgerRef);
      const months = monthsToTally(requests);
      const admissions = await documents.change('admit', {
        read: [rateLogRef<StoredLog>(userId, limit.name)],
        readBefore: true,
        readOnRetry: records,
        // After the log: what another process sets aside meanwhile changes the log, and this commit fails.
        together: months.map((month) => spendReads({ userId, month })),
        turn: `admit ${limit.name} ${userId}`,
        until: 'committed',
        decide: ([stored], { onRetry, together }) => {
          const timed = limiterClock.read(stored, limit, nowMs);
          const entries = withoutFuture(timed.entries, timed.nowMs);
          const spends = new Map(
            together.map((reads, index) => {
              const month = months[index] ?? '';
              return [month, spendOf(reads, month)];
            }),
          );
          const { log, admissions: result } = admitAll(entries, requests, { ...timed, spends });
          // By entry, not by id: a request that left the window long ago is let in anew under its old id.
          const before = new Set(entries);
          const added = log.filter((entry) => !before.has(entry)).flatMap(({ r }) => byId.get(r) ?? []);
          if (added.length === 0 && entries === timed.entries && !timed.isMoved) return { result };
          const opened = new Set(onRetry.flatMap(({ id, fields }) => (fields ? id : [])));
          const openings = added.flatMap(({ calls, ...request }) => {
            if (!calls || opened.has(request.requestId)) return [];
            return create(ledgerRef(request.requestId), openFields({ ...request, calls }, calls, processes?.own));
          });
          return { result, writes: [change(stored, { log, expireAt: nowMs + LOG_RETENTION_MS }), ...openings] };
        },
      });
      const admitted = requests.filter((_, index) => admissions[index]?.admitted);
      for (const request of admitted) known.note(request);
      limiterClock.note?.(admitted.map(({ requestId }) => requestId));
      return admissions;
    },
  };
}
