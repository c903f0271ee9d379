import type { Clock } from '../lib/clock';
import type { Log } from '../lib/log';
import type { AuditStore, LedgerStore } from './ledger-store';
import { reconcileMonths } from './reconcile';
import { sweepExpired } from './sweep';
import type { UsageStore } from './usage-store';

export interface Housekeeping {
  readonly store: LedgerStore & AuditStore & UsageStore;
  readonly clock: Clock;
  readonly log: Log;
}

/** How often a process looks for what others left open, where nothing else does. */
const SWEEP_EVERY_MS = 120_000;

/** Settles what dead processes left open and logs how many records that were. Rejects, after logging, when it failed. */
export async function sweepAndLog({ store, clock, log }: Housekeeping): Promise<void> {
  try {
    const records = await sweepExpired(store, clock);
    if (records > 0) log.info('swept', { records });
  } catch (error) {
    log.error('sweep failed', {}, error);
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
