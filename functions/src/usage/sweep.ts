import type { Clock } from '../lib/clock';
import type { CallRow } from './call-row';
import type { LedgerRecord, LedgerStore } from './ledger-store';

const PAGE_SIZE = 200;

/**
 * Settles what dead processes left open: every record whose lease has ended is closed as `swept` from the rows last
 * written, calls that never ended as aborted. Safe beside a late settlement and other sweeps: the store applies only one.
 * Returns how many records this sweep closed. A record that cannot be settled does not hold up the others: after them,
 * throws an AggregateError of the causes.
 */
export async function sweepExpired(store: LedgerStore, clock: Clock): Promise<number> {
  const nowMs = clock.nowMs();
  const failures = new Map<string, unknown>();
  let swept = 0;
  for (;;) {
    const page = await store.listExpired(nowMs, PAGE_SIZE);
    const applied = await Promise.all(page.map(sweepOne));
    swept += applied.filter(Boolean).length;
    // The failed stay open and are listed again; a page of nothing else would come back for ever.
    if (page.length < PAGE_SIZE || page.every(({ requestId }) => failures.has(requestId))) break;
  }
  if (failures.size === 0) return swept;
  throw new AggregateError(failures.values(), `${failures.size} expired records could not be settled`);

  async function sweepOne({ requestId, calls }: LedgerRecord): Promise<boolean> {
    try {
      const settlement = { requestId, state: 'swept', calls: calls.map(closed), settledAtMs: nowMs } as const;
      return (await store.settle(settlement)) === 'applied';
    } catch (error) {
      failures.set(requestId, error);
      return false;
    }
  }
}

function closed(call: CallRow): CallRow {
  return call.outcome === 'open' ? { ...call, outcome: 'aborted', estimated: true } : call;
}
