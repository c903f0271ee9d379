import type { Clock } from '../lib/clock';
import type { Log } from '../lib/log';
import type { AuditStore } from './audit-store';
import type { LedgerRecord, LedgerStore } from './ledger-store';
import { reconcileMonths } from './reconcile';
import { sweepExpired } from './sweep';
import type { UsageStore } from './usage-store';

export interface Housekeeping {
  readonly store: LedgerStore & AuditStore & UsageStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Logs sweeps that find nothing, too: for monitoring that they go on. */
  readonly tellsEverySweep?: boolean;
}

/** Time between sweeps of a process, where no schedule starts them. */
const SWEEP_EVERY_MS = 120_000;

/** A request lasts ten minutes at most: what is still open after an hour needs somebody to look at it. */
const OVERDUE_AFTER_MS = 60 * 60 * 1000;
/** Overdue records named one by one in one sweep. */
const NAMED_MAX = 20;

/**
 * Settles what dead processes left open and logs how many records that were, and how long ago the oldest was begun; each
 * that could not be settled within an hour of its start is an error of its own. Rejects, after logging, when it failed.
 */
export async function sweepAndLog({ store, clock, log, tellsEverySweep = false }: Housekeeping): Promise<void> {
  let overdue = 0;
  let oldestAgeMs = 0;
  const ageMsOf = ({ startedAtMs }: LedgerRecord): number => clock.nowMs() - startedAtMs;
  const listed = (record: LedgerRecord): void => {
    oldestAgeMs = Math.max(oldestAgeMs, ageMsOf(record));
  };
  const stuck = (record: LedgerRecord, cause: unknown): void => {
    const ageMs = ageMsOf(record);
    if (ageMs < OVERDUE_AFTER_MS) return;
    overdue += 1;
    const { requestId, userId } = record;
    const facts = { requestId, userId, ageMinutes: Math.floor(ageMs / 60_000) };
    if (overdue <= NAMED_MAX) log.error('ledger record overdue', facts, cause);
  };
  try {
    const records = await sweepExpired(store, clock, { listed, stuck });
    if (records > 0 || tellsEverySweep) log.info('swept', { records, oldestAgeMs });
  } catch (error) {
    log.error('sweep failed', { overdue, oldestAgeMs }, error);
    throw error;
  }
}

/** Sweeps now and then every two minutes, for as long as the process lives; does not keep it alive. */
export function keepSwept(parts: Housekeeping): void {
  const again = () => parts.clock.after(SWEEP_EVERY_MS, () => keepSwept(parts));
  sweepAndLog(parts).then(again, again);
}

/** Checks recent months against their ledger; logs each difference and the count. Rejects, after logging, when it failed. */
export async function reconcileAndLog({ store, clock, log }: Housekeeping): Promise<void> {
  let differences = 0;
  try {
    const months = await reconcileMonths(store, clock, (difference) => {
      differences += 1;
      log.error('month differs from its ledger', difference);
    });
    log.info('reconciled', { months, differences });
  } catch (error) {
    log.error('reconcile failed', {}, error);
    throw error;
  }
}
