import type { CallRow } from '../../ledger/call-row';
import type { LedgerStore } from '../../ledger/ledger-store';
import type { Documents } from '../documents';
import { Serial } from '../serial';
import { callsById, ledgerRef } from './ledger';

interface Batch {
  readonly rows: Record<string, CallRow>;
  readonly written: Promise<void>;
}

/**
 * Checkpoints: rows overwritten by call id in one blind write, without a read. A repeated write changes nothing and one
 * that comes after the settlement is never looked at (see `ledger.ts`). Those of one request are written one after
 * another, or an older row could land on a newer one; what comes while one is under way goes along in the next.
 */
export function checkpointRepository(documents: Documents): Pick<LedgerStore, 'checkpoint'> {
  const queue = new Serial();
  const waiting = new Map<string, Batch>();

  return {
    checkpoint: async (requestId, calls) => {
      const rows = callsById(calls);
      if (calls.length === 0) return;
      const batch = waiting.get(requestId) ?? open(requestId);
      for (const [key, row] of Object.entries(rows)) batch.rows[`calls.${key}`] = row;
      await batch.written;
    },
  };

  function open(requestId: string): Batch {
    const rows: Batch['rows'] = {};
    const written = queue.run(requestId, () => {
      waiting.delete(requestId);
      return write(requestId, rows);
    });
    const batch = { rows, written };
    waiting.set(requestId, batch);
    return batch;
  }

  function write(requestId: string, patch: Batch['rows']): Promise<void> {
    const missing = `request ${requestId} was never reserved`;
    const writes = [{ kind: 'merge', ref: ledgerRef(requestId), patch, missing } as const];
    return documents.change('checkpoint', {
      read: [],
      decide: () => ({ result: undefined, writes }),
      until: 'committed',
    });
  }
}
