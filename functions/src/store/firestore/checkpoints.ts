import type { CallRow } from '../../usage/call-row';
import { assertCounts } from '../../usage/consumption';
import type { LedgerStore } from '../store';
import type { FirestoreClient } from './client';
import { storedCall } from './ledger-document';
import { ledgerRef, mapKey } from './refs';
import { NOT_FOUND, rpcCodeOf } from './rpc-error';
import { Serial } from './serial';
import type { Session } from './session';

const BUDGET_MS = 5_000;

interface Batch {
  readonly rows: Map<string, CallRow>;
  readonly written: Promise<void>;
}

/**
 * Checkpoints: rows overwritten by call id in one blind write, without a read. A repeated write changes nothing and one
 * that comes after the settlement is never looked at (see `ledger-document`). Those of one request are written one
 * after another, or an older row could land on a newer one; what comes while one is under way goes along in the next.
 */
export function firestoreCheckpoints(client: FirestoreClient): Pick<LedgerStore, 'checkpoint'> {
  const queue = new Serial();
  const waiting = new Map<string, Batch>();

  return {
    checkpoint: async (requestId, calls) => {
      assertCounts(calls);
      if (calls.length === 0) return;
      const batch = waiting.get(requestId) ?? open(requestId);
      for (const call of calls) batch.rows.set(mapKey(call.callId), storedCall(call));
      await batch.written;
    },
  };

  function open(requestId: string): Batch {
    const rows = new Map<string, CallRow>();
    const written = queue.run(requestId, () => {
      waiting.delete(requestId);
      return client.run({ name: 'checkpoint', budgetMs: BUDGET_MS }, (session) =>
        session.untilDecided(() => write(session, requestId, rows)),
      );
    });
    const batch = { rows, written };
    waiting.set(requestId, batch);
    return batch;
  }
}

async function write(session: Session, requestId: string, rows: ReadonlyMap<string, CallRow>): Promise<void> {
  const fields = Object.fromEntries([...rows].map(([key, row]) => [`calls.${key}`, row]));
  try {
    await session.commit((writes) => writes.update(ledgerRef(session.db, requestId), fields));
  } catch (error) {
    if (rpcCodeOf(error) !== NOT_FOUND) throw error;
    throw new Error(`request ${requestId} was never reserved`, { cause: error });
  }
}
