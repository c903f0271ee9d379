/*
 * The store on one SQLite file: a file per port with its statements, over one `Connection`. What was acknowledged
 * survives a crash and a power failure (ADR 7). Must not import `firestore/`.
 */
import { type Clock, systemClock } from '../../lib/clock';
import type { Store } from '../store';
import { embeddedActs } from './acts';
import { embeddedAdmission } from './admission';
import { embeddedAudits } from './audits';
import { embeddedBudgets } from './budgets';
import { Connection } from './connection';
import { databasePath, openDatabase } from './database';
import { embeddedGrants } from './grants';
import { embeddedIdempotency } from './idempotency';
import { embeddedKeys } from './keys';
import { embeddedLedger } from './ledger';
import { embeddedMonths } from './months';
import { openFailure } from './open-failure';
import { keepRetention } from './retention';
import { embeddedRouterKeys } from './router-keys';
import { embeddedRouterModels } from './router-models';
import { embeddedRuns } from './runs';

/** Where the file is. */
export interface EmbeddedStoreOptions {
  /** Created when missing, readable by its owner only. Several processes may share it. */
  readonly directory: string;
  /** Tells how old what is stored is, and how old admissions are where its time of day was set back. */
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
    ...embeddedKeys(connection),
    ...embeddedActs(connection),
    ...embeddedAdmission(connection, clock),
    ...embeddedBudgets(connection),
    ...embeddedLedger(connection),
    ...embeddedMonths(connection),
    ...embeddedAudits(connection),
    ...embeddedRouterKeys(connection),
    ...embeddedRouterModels(connection),
    ...embeddedGrants(connection),
    ...embeddedIdempotency(connection),
    ...embeddedRuns(connection),
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
