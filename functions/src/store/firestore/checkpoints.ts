import type { CallRow } from '../../ledger/call-row';
import { assertCounts } from '../../ledger/consumption';
import type { LedgerStore } from '../../ledger/ledger-store';
import type { FirestoreClient } from './client';
import { ledgerRef, mapKey, wellFormed } from './documents';
import { NOT_FOUND, rpcCodeOf } from './rpc-error';
import { Serial } from './serial';
import type { Session } from './session';

/** One write each time ($0.90 a million): what that costs and is worth is in `docs/deploy.md`. */
const CHECKPOINT_EVERY_MS = 5_000;

interface Batch {
  readonly rows: Record<string, CallRow>;
  readonly written: Promise<void>;
}

/**
 * Checkpoints: rows overwritten by call id in one blind write, without a read. A repeated write changes nothing and one
 * that comes after the settlement is never looked at (see `ledger.ts`). Those of one request are written one after
 * another, or an older row could land on a newer one; what comes while one is under way goes along in the next.
 */
export function firestoreCheckpoints(client: FirestoreClient): Pick<LedgerStore, 'checkpoint' | 'checkpointEveryMs'> {
  const queue = new Serial();
  const waiting = new Map<string, Batch>();

  return {
    checkpointEveryMs: CHECKPOINT_EVERY_MS,

    checkpoint: async (requestId, calls) => {
      assertCounts(calls);
      if (calls.length === 0) return;
      const batch = waiting.get(requestId) ?? open(requestId);
      for (const call of calls) batch.rows[`calls.${mapKey(call.callId)}`] = wellFormed(call);
      await batch.written;
    },
  };

  function open(requestId: string): Batch {
    const rows: Batch['rows'] = {};
    const written = queue.run(requestId, () => {
      waiting.delete(requestId);
      return client.decide('checkpoint', (session) => write(session, requestId, rows));
    });
    const batch = { rows, written };
    waiting.set(requestId, batch);
    return batch;
  }
}

async function write(session: Session, requestId: string, rows: Batch['rows']): Promise<void> {
  try {
    await session.commit((writes) => writes.update(ledgerRef(session.db, requestId), rows));
  } catch (error) {
    if (rpcCodeOf(error) !== NOT_FOUND) throw error;
    throw new Error(`request ${requestId} was never reserved`, { cause: error });
  }
}
