import { LEDGER_RETENTION_MS } from '../../ledger/ledger-store';
import type { CancelTimer, Clock } from '../../lib/clock';
import type { Connection } from './connection';

const EVERY_MS = 24 * 60 * 60 * 1000;
/** Documents removed in one transaction at most, some of a megabyte, so that no request waits for long. */
const BATCH = 20;

/**
 * Removes documents (closed ledger records, idempotency keys, acts, kept runs) that are past their time, now and once a
 * day, for as long as the store is open; returns what ends that. Several processes may do it side by side.
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
  const some = [
    // Also of a run whose deletion was interrupted.
    `kind = 'runParts' AND parent IN (SELECT path FROM documents WHERE expireAt < :nowMs AND kind = 'runs')`,
    'expireAt < :nowMs ORDER BY expireAt',
    `kind = 'usageLedger' AND settledAt < :nowMs - ${LEDGER_RETENTION_MS} ORDER BY settledAt`,
  ];
  return some.map((found) => {
    const remove = connection.prepare(
      `DELETE FROM documents WHERE id IN (SELECT id FROM documents WHERE ${found} LIMIT ${BATCH})`,
    );
    return (nowMs) => Number(remove.run({ nowMs }).changes);
  });
}
