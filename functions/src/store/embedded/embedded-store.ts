/*
 * The store on one SQLite file: documents over one `Connection`. What was acknowledged survives a crash and a power
 * failure (ADR 7). Must not import `firestore/`.
 */
import { LEDGER_RETENTION_MS } from '../../ledger/ledger-store';
import { type CancelTimer, type Clock, systemClock } from '../../lib/clock';
import { repositoriesOf } from '../repositories/repositories';
import type { Store } from '../store';
import { Connection } from './connection';
import { databasePath, openDatabase } from './database';
import { embeddedDocuments } from './embedded-documents';
import { openFailure } from './open-failure';
import { hasEnded, processName } from './owner';

const CHECKPOINT_EVERY_MS = 1_000;
const RETENTION_EVERY_MS = 24 * 60 * 60 * 1000;
/** Documents removed in one transaction at most, some of a megabyte, so that no request waits for long. */
const REMOVED_AT_ONCE = 20;

/** Folder and options of the file. */
export interface EmbeddedStoreOptions {
  /** Created when missing, readable by its owner only. Several processes may share it. */
  readonly directory: string;
  /** Tells how old what is stored is. */
  readonly clock?: Clock;
}

/**
 * Opens `ensemble.db`: for one machine, with no server beside it. Limits and ledger hold across all processes that
 * share the directory. Throws an error that names the file and `DATA_DIR` when it cannot be used, or was written by a
 * newer version.
 */
export function openEmbeddedStore({ directory, clock = systemClock }: EmbeddedStoreOptions): Store {
  const connection = openConnection(directory);
  const endRetention = keepRetention(connection, clock);
  return {
    ...repositoriesOf(embeddedDocuments(connection), {
      clock,
      checkpointEveryMs: CHECKPOINT_EVERY_MS,
      owner: processName(process.pid) ?? '',
      hasEnded,
    }),
    onDisk: () => connection.onDisk(),
    close: () => {
      endRetention();
      return connection.close();
    },
  };
}

function openConnection(directory: string): Connection {
  try {
    return new Connection(openDatabase(directory));
  } catch (error) {
    throw openFailure(databasePath(directory), error);
  }
}

/** Documents that are past their time: parts also of a run whose deletion was interrupted, and closed ledger records. */
const PAST_THEIR_TIME = [
  `kind = 'runParts' AND parent IN (SELECT path FROM documents WHERE expireAt < :nowMs AND kind = 'runs')`,
  'expireAt < :nowMs ORDER BY expireAt',
  `kind = 'usageLedger' AND settledAt < :nowMs - ${LEDGER_RETENTION_MS} ORDER BY settledAt`,
];

/** Removes documents that are past their time now and once a day, as other processes may; returns what ends that. */
function keepRetention(connection: Connection, clock: Clock): CancelTimer {
  const removals = PAST_THEIR_TIME.map((found) =>
    connection.prepare(
      `DELETE FROM documents WHERE id IN (SELECT id FROM documents WHERE ${found} LIMIT ${REMOVED_AT_ONCE})`,
    ),
  );
  let isStopped = false;
  let cancel: CancelTimer = () => {};
  const removeAll = async (): Promise<void> => {
    const nowMs = clock.nowMs();
    for (const removal of removals) {
      let removed = 1;
      while (!isStopped && removed > 0) removed = await connection.write(() => Number(removal.run({ nowMs }).changes));
    }
  };
  // A disk that fails fails for the requests too, and is reported there.
  const again = (): void => {
    if (!isStopped) cancel = clock.after(RETENTION_EVERY_MS, start);
  };
  const start = (): void => {
    removeAll().then(again, again);
  };
  start();
  return () => {
    isStopped = true;
    cancel();
  };
}
