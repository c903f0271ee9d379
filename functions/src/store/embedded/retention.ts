import { ACT_RETENTION_MS } from '../../access/act';
import { LEDGER_RETENTION_MS } from '../../ledger/ledger-store';
import type { CancelTimer, Clock } from '../../lib/clock';
import type { Connection } from './connection';
import { runRemoval } from './run-removal';

const EVERY_MS = 24 * 60 * 60 * 1000;
/** Records removed in one transaction at most, so that no request waits for long. */
const BATCH = 500;

/**
 * Removes what is past its time (closed ledger records, idempotency keys, acts of administration, kept runs) now and once a day, for as long as the store
 * is open; returns what ends that. Several processes may do it side by side.
 */
export function keepRetention(connection: Connection, clock: Clock): CancelTimer {
  const removals = removalsOf(connection);
  let isStopped = false;
  let cancel: CancelTimer = () => {};
  // A disk that fails fails for the requests too, and is told there.
  const again = (): void => {
    if (!isStopped) cancel = clock.after(EVERY_MS, start);
  };
  const start = (): void => {
    removeAll().then(again, again);
  };
  start();
  return () => {
    isStopped = true;
    cancel();
  };

  async function removeAll(): Promise<void> {
    const nowMs = clock.nowMs();
    for (const remove of removals) {
      let removed = 1;
      while (!isStopped && removed > 0) removed = await connection.write(() => remove(nowMs));
    }
  }
}

/** Each removes a batch and returns how many there were. */
function removalsOf(connection: Connection): ((nowMs: number) => number)[] {
  const ledger = connection.prepare<{ beforeMs: number; max: number }>(`
    DELETE FROM ledger WHERE rowid IN
      (SELECT rowid FROM ledger WHERE state <> 'open' AND settled_at_ms < :beforeMs ORDER BY settled_at_ms LIMIT :max)
  `);
  const idempotency = connection.prepare<{ beforeMs: number; max: number }>(`
    DELETE FROM idempotency WHERE rowid IN (SELECT rowid FROM idempotency WHERE expires_at_ms < :beforeMs LIMIT :max)
  `);
  const acts = connection.prepare<{ beforeMs: number; max: number }>(
    'DELETE FROM acts WHERE rowid IN (SELECT rowid FROM acts WHERE at_ms < :beforeMs ORDER BY at_ms LIMIT :max)',
  );
  const { hide, removePiece } = runRemoval(connection);
  const runs = hide<{ beforeMs: number; max: number }>(
    "run IN (SELECT run FROM runs WHERE expires_at_ms < :beforeMs AND user_id <> '' LIMIT :max)",
  );
  return [
    (nowMs) => ledger.run({ beforeMs: nowMs - LEDGER_RETENTION_MS, max: BATCH }),
    (nowMs) => idempotency.run({ beforeMs: nowMs, max: BATCH }),
    (nowMs) => acts.run({ beforeMs: nowMs - ACT_RETENTION_MS, max: BATCH }),
    (nowMs) => runs.all({ beforeMs: nowMs, max: BATCH }).length,
    removePiece,
  ];
}
