import { monthsToTally } from '../../access/budget';
import {
  type AdmissionStore,
  admitAll,
  type LogEntry,
  ownerOf,
  type RateLimit,
  withoutFuture,
} from '../../access/rate-limit';
import { assertCounts } from '../../ledger/consumption';
import { change, create, type Documents, type Snapshot } from '../documents';
import { openSpend, spendOf } from './budgets';
import { ledgerRef, openFields } from './ledger';
import { monthRef } from './months';
import { rateLogRef } from './refs';

/** Logs are only of use for a minute; the database removes them some time after this. */
const LOG_RETENTION_MS = 60 * 60 * 1000;

/** A limiter's log of a user at `rateLimits/{uid}__{limit}`, oldest first. */
interface StoredLog {
  readonly log?: readonly LogEntry[];
  readonly expireAt?: number;
}

interface AdmissionDeps {
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
export function admissionRepository(documents: Documents, { inServerTime, owner }: AdmissionDeps): AdmissionStore {
  return {
    admit: async (limit, requests, nowMs) => {
      const userId = ownerOf(requests);
      if (userId === undefined) return [];
      for (const { calls } of requests) assertCounts(calls ?? []);
      const byId = new Map(requests.map((request) => [request.requestId, request]));
      const months = monthsToTally(requests);
      return documents.change('admit', {
        read: [rateLogRef<StoredLog>(userId, limit.name), ...months.map((month) => monthRef({ userId, month }))],
        readBefore: true,
        // Of a request that was given up meanwhile the record is there, and closed.
        readOnRetry: [...byId.keys()].map(ledgerRef),
        queries: months.length > 0 ? [openSpend(userId)] : [],
        turn: `admit ${limit.name} ${userId}`,
        until: 'committed',
        decide: ([stored, ...booked], { onRetry, found: [open = []] }) => {
          const log = stored.fields?.log ?? [];
          const timed = inServerTime ? serverTimed(stored, limit) : { entries: log, limit, nowMs };
          const entries = withoutFuture(timed.entries, timed.nowMs);
          const spends = new Map(booked.map((month) => [month.id, spendOf(month, open)]));
          const { log: kept, admissions: result } = admitAll(entries, requests, { ...timed, spends });
          // By entry, not by id: a request that left the window long ago is let in anew under its old id.
          const before = new Set(entries);
          const added = kept.filter((entry) => !before.has(entry)).flatMap(({ r }) => byId.get(r) ?? []);
          if (added.length === 0 && entries === timed.entries) return { result };
          const opened = new Set(onRetry.flatMap(({ id, fields }) => (fields ? id : [])));
          const openings = added
            .filter(({ calls, requestId }) => calls && !opened.has(requestId))
            .map((request) => create(ledgerRef(request.requestId), openFields(request, owner)));
          return { result, writes: [change(stored, { log: kept, expireAt: nowMs + LOG_RETENTION_MS }), ...openings] };
        },
      });
    },
  };
}

/**
 * The log in the database's own time. An entry counts from the commit that admitted it, but that moment is not known when
 * it is written. So the newest batch (one commit, one stamp) carries a stand-in, and the next reader of the log puts the
 * document's update time in its place: exactly that commit's time. "Now" is when the log was read, which lies before the
 * commit that is being decided on. Thus 31 admissions always span more than the window. Both times are cut to whole
 * milliseconds, hence a window one longer.
 */
function serverTimed({ fields, serverTime }: Snapshot<StoredLog>, limit: RateLimit) {
  const { readMs = 0, writtenMs } = serverTime ?? {};
  const log = fields?.log ?? [];
  const standIn = log.at(-1)?.t;
  const entries =
    writtenMs === undefined ? log : log.map((entry) => (entry.t === standIn ? { ...entry, t: writtenMs } : entry));
  return { entries, limit: { ...limit, windowMs: limit.windowMs + 1 }, nowMs: readMs };
}
