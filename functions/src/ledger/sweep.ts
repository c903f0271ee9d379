import type { Clock } from '../lib/clock';
import { FairSlots } from '../lib/fair-slots';
import type { Log } from '../lib/log';
import type { CallRow } from './call-row';
import type { LedgerRecord, LedgerStore } from './ledger-store';

const PAGE_SIZE = 200;
/** Settled at a time: enough to hide round trips, few enough to leave the store to the requests. */
const CONCURRENCY = 8;
/** Causes that an error carries at most. */
const CAUSES_MAX = 10;
/** A record that could not be settled is tried again after half its age, within these bounds. */
const SHORTEST_PAUSE_MS = 2 * 60 * 1000;
const LONGEST_PAUSE_MS = 6 * 60 * 60 * 1000;
/** Time between sweeps of a process, where no schedule starts them. */
const SWEEP_EVERY_MS = 120_000;
/** A request lasts ten minutes at most: what is still open after an hour is an error of its own. */
const OVERDUE_AFTER_MS = 60 * 60 * 1000;
/** Overdue records named one by one in one sweep. */
const NAMED_MAX = 20;

export interface Sweep {
  readonly store: LedgerStore;
  readonly clock: Clock;
  readonly log?: Log;
  /** Logs sweeps that find nothing, too: for monitoring that they go on. */
  readonly tellsEverySweep?: boolean;
}

/** Closes every record whose lease has ended as `swept`, from the rows last written, and logs and returns how many. */
export async function sweepExpired({ store, clock, log, tellsEverySweep = false }: Sweep): Promise<number> {
  const nowMs = clock.nowMs();
  const slots = new FairSlots(CONCURRENCY);
  const causes: unknown[] = [];
  let [records, stuck, overdue, oldestAgeMs] = [0, 0, 0, 0];
  try {
    for (let last: LedgerRecord | undefined; ; ) {
      const page = await store.listExpired(nowMs, PAGE_SIZE, last);
      await Promise.all(page.map((record) => slots.run(() => sweepOne(record))));
      last = page.at(-1);
      if (page.length < PAGE_SIZE) break;
    }
    if (stuck > 0) throw new AggregateError(causes, `${stuck} expired records could not be settled`);
  } catch (error) {
    log?.error('sweep failed', { overdue, oldestAgeMs }, error);
    throw error;
  }
  if (records > 0 || tellsEverySweep) log?.info('swept', { records, oldestAgeMs });
  return records;

  async function sweepOne(record: LedgerRecord): Promise<void> {
    const { requestId, calls } = record;
    const ageMs = nowMs - record.startedAtMs;
    oldestAgeMs = Math.max(oldestAgeMs, ageMs);
    try {
      const settlement = { request: record, state: 'swept', calls: calls.map(closed), settledAtMs: nowMs } as const;
      if ((await store.settle(settlement)) === 'applied') records += 1;
    } catch (cause) {
      stuck += 1;
      if (causes.length < CAUSES_MAX) causes.push(cause);
      if (ageMs >= OVERDUE_AFTER_MS) nameOverdue(record, cause);
      const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, ageMs / 2));
      // Where even this cannot be written the record stays in the list, and the cursor goes past it.
      await store.postpone(requestId, nowMs + Math.round(pauseMs)).catch(() => {});
    }
  }

  function nameOverdue({ requestId, userId, startedAtMs }: LedgerRecord, cause: unknown): void {
    overdue += 1;
    const ageMinutes = Math.floor((nowMs - startedAtMs) / 60_000);
    if (overdue <= NAMED_MAX) log?.error('ledger record overdue', { requestId, userId, ageMinutes }, cause);
  }
}

/** Sweeps now and then every two minutes, for as long as the process lives; does not keep it alive. */
export function keepSwept(sweep: Sweep): void {
  const again = () => sweep.clock.after(SWEEP_EVERY_MS, () => keepSwept(sweep));
  sweepExpired(sweep).then(again, again);
}

function closed(call: CallRow): CallRow {
  return call.outcome === 'open' ? { ...call, outcome: 'aborted', estimated: true } : call;
}
