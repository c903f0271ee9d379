import type { CallRow } from '../../src/ledger/call-row';
import { assertCounts } from '../../src/ledger/consumption';
import type { LedgerStore, Settlement } from '../../src/ledger/ledger-store';
import { type Clock, sleep } from '../../src/lib/clock';

/** A ledger in memory for one request, as slow and as faulty as it is told to be. */
export interface FaultyLedger extends LedgerStore {
  /** Notes the calls that the reservation carries. */
  reserve(calls: readonly CallRow[]): void;
  /** Rows that are written, by call id. */
  readonly rows: ReadonlyMap<string, CallRow>;
  readonly settlements: readonly Settlement[];
}

export interface LedgerTroubles {
  /** Time of a write. */
  readonly latencyMs: number;
  /** The number of the write from which on all of them are refused, from 1; 0 = none is. */
  readonly refusesFrom: number;
}

export function faultyLedger(clock: Clock, { latencyMs, refusesFrom }: LedgerTroubles): FaultyLedger {
  const rows = new Map<string, CallRow>();
  const settlements: Settlement[] = [];
  let writes = 0;

  const put = (calls: readonly CallRow[]): void => {
    assertCounts(calls);
    for (const call of calls) rows.set(call.callId, call);
  };
  const write = async (): Promise<void> => {
    writes += 1;
    const refused = refusesFrom > 0 && writes >= refusesFrom;
    if (latencyMs > 0) await sleep(clock, latencyMs);
    if (refused) throw new Error('the ledger refuses');
  };

  return {
    rows,
    settlements,
    reserve: put,
    checkpointEveryMs: 1_000,
    checkpoint: async (_, calls) => {
      await write();
      if (settlements.length === 0) put(calls);
    },
    settle: async (settlement) => {
      await write();
      if (settlements.length > 0) return 'already';
      settlements.push(settlement);
      put(settlement.calls);
      return 'applied';
    },
    abandon: () => Promise.resolve('applied'),
    listExpired: () => Promise.resolve([]),
    postpone: () => Promise.resolve(),
    findRecord: () => Promise.resolve(undefined),
  };
}
