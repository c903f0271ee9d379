/*
 * The store on one SQLite file: documents over one `Connection`. What was acknowledged survives a crash and a power
 * failure (ADR 7). Must not import `firestore/`.
 */
import { type Clock, systemClock } from '../../lib/clock';
import { repositoriesOf } from '../repositories/repositories';
import type { Store } from '../store';
import { Connection } from './connection';
import { databasePath, openDatabase } from './database';
import { embeddedDocuments } from './embedded-documents';
import { openFailure } from './open-failure';
import { hasEnded, processName } from './owner';
import { keepRetention } from './retention';

const CHECKPOINT_EVERY_MS = 1_000;

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
