import type { Clock } from '../lib/clock';
import { FairSlots } from '../lib/fair-slots';
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

/** Is told of records as a sweep comes to them. */
export interface SweepListener {
  /** Its lease has ended. */
  readonly listed?: (record: LedgerRecord) => void;
  /** It could not be settled. */
  readonly stuck?: (record: LedgerRecord, cause: unknown) => void;
}

/**
 * Settles what dead processes left open: every record whose lease has ended is closed as `swept` from the rows last
 * written, calls that never ended as aborted. Safe beside a late settlement and other sweeps: the store applies only one.
 * Returns how many records this sweep closed. A record that cannot be settled does not hold up the others: the
 * listener is told, it is listed again only after a pause that grows with its age, and after all others an AggregateError is thrown
 * with the first of the causes.
 */
export async function sweepExpired(store: LedgerStore, clock: Clock, listener: SweepListener = {}): Promise<number> {
  const nowMs = clock.nowMs();
  const slots = new FairSlots(CONCURRENCY);
  const causes: unknown[] = [];
  let stuck = 0;
  let swept = 0;
  for (let last: LedgerRecord | undefined; ; ) {
    const page = await store.listExpired(nowMs, PAGE_SIZE, last);
    const applied = await Promise.all(page.map((record) => slots.run(() => sweepOne(record))));
    swept += applied.filter(Boolean).length;
    last = page.at(-1);
    if (page.length < PAGE_SIZE) break;
  }
  if (stuck === 0) return swept;
  throw new AggregateError(causes, `${stuck} expired records could not be settled`);

  async function sweepOne(record: LedgerRecord): Promise<boolean> {
    const { requestId, calls, startedAtMs } = record;
    listener.listed?.(record);
    try {
      const settlement = { requestId, state: 'swept', calls: calls.map(closed), settledAtMs: nowMs } as const;
      return (await store.settle(settlement)) === 'applied';
    } catch (cause) {
      stuck += 1;
      if (causes.length < CAUSES_MAX) causes.push(cause);
      listener.stuck?.(record, cause);
      const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, (nowMs - startedAtMs) / 2));
      // Where even this cannot be written the record stays in the list, and the cursor goes past it.
      await store.postpone(requestId, nowMs + Math.round(pauseMs)).catch(() => {});
      return false;
    }
  }
}

function closed(call: CallRow): CallRow {
  return call.outcome === 'open' ? { ...call, outcome: 'aborted', estimated: true } : call;
}
