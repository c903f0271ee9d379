/*
 * The store on Firestore: documents, one `FirestoreClient`. Why each commit carries a precondition, and what is read when:
 * ADR 7. Must not import `embedded/`.
 */
import { type Clock, systemClock } from '../../lib/clock';
import { repositoriesOf } from '../repositories/repositories';
import type { Store } from '../store';
import { createClient } from './client';
import { firestoreDocuments } from './firestore-documents';

/** One write each time ($0.90 a million): what that costs and is worth is in `docs/deploy.md`. */
const CHECKPOINT_EVERY_MS = 5_000;

/** Options of a Firestore store. */
export interface FirestoreStoreOptions {
  readonly projectId: string;
  /** Deadlines and pauses go by it. */
  readonly clock?: Clock;
  /** `server`: Firestore's own time, for processes whose clocks differ. Default: that of this machine. */
  readonly limiterTime?: 'server';
}

/**
 * Any number of processes share one set of limits and one ledger. Connects and loads the SDK with the first operation;
 * uses the emulator when `FIRESTORE_EMULATOR_HOST` is set, which the SDK itself reads. Every operation ends by its own
 * deadline (5 s, settlement and listings 10 s) with a Fault `internal` when it could not be done.
 */
export function openFirestoreStore(options: FirestoreStoreOptions): Store {
  const { projectId, clock = systemClock, limiterTime } = options;
  const client = createClient(projectId, clock);
  return {
    ...repositoriesOf(firestoreDocuments(client, clock), {
      clock,
      inServerTime: limiterTime === 'server',
      checkpointEveryMs: CHECKPOINT_EVERY_MS,
    }),
    close: () => client.close(),
  };
}
