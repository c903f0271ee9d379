import { monthsToTally } from '../../access/budget';
import { type AdmissionStore, admitAll, ownerOf, withoutFuture } from '../../access/rate-limit';
import { assertCounts } from '../../ledger/consumption';
import type { Clock } from '../../lib/clock';
import { change, create, type Documents } from '../documents';
import { openSpend, spendOf } from './budgets';
import { ledgerRef, openFields } from './ledger';
import { databasesClock, machinesClock, type StoredLog } from './limiter-clock';
import { monthRef } from './months';
import { rateLogRef } from './refs';

/** Logs are only of use for a minute; the database removes them some time after this. */
const LOG_RETENTION_MS = 60 * 60 * 1000;

interface AdmissionDeps {
  readonly clock: Clock;
  /** The limiter goes by the database's own time, one for all processes, and not by that of this machine. */
  readonly inServerTime?: boolean;
  /** The name of this process, where processes have names. */
  readonly owner?: string;
}

/**
 * Admission: the limiter's log and the new ledger records in one commit, which fails unless the log is still the one it
 * was decided by. Where a commit's outcome is unknown the log is read again: our own request ids in it mean that it was
 * applied. Denials write nothing. Batches of one user are decided in the order they came.
 */
export function admissionRepository(
  documents: Documents,
  { clock, inServerTime, owner }: AdmissionDeps,
): AdmissionStore {
  const limiterClock = inServerTime ? databasesClock : machinesClock(clock);
  return {
    admit: async (limit, requests, nowMs) => {
      const userId = ownerOf(requests);
      if (userId === undefined) return [];
      for (const { calls } of requests) assertCounts(calls ?? []);
      const byId = new Map(requests.map((request) => [request.requestId, request]));
      const months = monthsToTally(requests);
      const admissions = await documents.change('admit', {
        read: [rateLogRef<StoredLog>(userId, limit.name), ...months.map((month) => monthRef({ userId, month }))],
        readBefore: true,
        // Of a request that was given up meanwhile the record is there, and closed.
        readOnRetry: [...byId.keys()].map(ledgerRef),
        queries: months.length > 0 ? [openSpend(userId)] : [],
        turn: `admit ${limit.name} ${userId}`,
        until: 'committed',
        decide: ([stored, ...booked], { onRetry, found: [open = []] }) => {
          const timed = limiterClock.read(stored, limit, nowMs);
          const entries = withoutFuture(timed.entries, timed.nowMs);
          const spends = new Map(booked.map((month) => [month.id, spendOf(month, open)]));
          const { log, admissions: result } = admitAll(entries, requests, { ...timed, spends });
          // By entry, not by id: a request that left the window long ago is let in anew under its old id.
          const before = new Set(entries);
          const added = log.filter((entry) => !before.has(entry)).flatMap(({ r }) => byId.get(r) ?? []);
          if (added.length === 0 && entries === timed.entries && !timed.isMoved) return { result };
          const opened = new Set(onRetry.flatMap(({ id, fields }) => (fields ? id : [])));
          const openings = added
            .filter(({ calls, requestId }) => calls && !opened.has(requestId))
            .map((request) => create(ledgerRef(request.requestId), openFields(request, owner)));
          return { result, writes: [change(stored, { log, expireAt: nowMs + LOG_RETENTION_MS }), ...openings] };
        },
      });
      const admitted = requests.filter((_, index) => admissions[index]?.admitted);
      limiterClock.note?.(admitted.map(({ requestId }) => requestId));
      return admissions;
    },
  };
}
