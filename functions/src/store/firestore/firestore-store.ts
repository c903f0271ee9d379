/*
 * The store on Firestore: a file per port with its documents, over one `FirestoreClient`. Why each commit carries a
 * precondition, and what is read when: ADR 7. Must not import `embedded/`.
 */
import { type Clock, systemClock } from '../../lib/clock';
import type { Store } from '../store';
import { firestoreAccess } from './access';
import { firestoreActs } from './acts';
import { firestoreAdmission, type LimiterTime } from './admission';
import { firestoreAudits } from './audits';
import { firestoreBudgets } from './budgets';
import { firestoreCheckpoints } from './checkpoints';
import { createClient } from './client';
import { firestoreGrants } from './grants';
import { firestoreIdempotency } from './idempotency';
import { firestoreKeys } from './keys';
import { firestoreLedger } from './ledger';
import { Memory } from './memory';
import { firestoreMonths } from './months';
import { firestoreRouterKeys } from './router-keys';
import { firestoreRouterModels } from './router-models';
import { firestoreRuns } from './runs';
import { firestoreSettlement } from './settlement';
import { firestoreSubscriptions } from './subscriptions';

/** Which Firestore to use. */
export interface FirestoreStoreOptions {
  readonly projectId: string;
  /** Deadlines and pauses go by it. */
  readonly clock?: Clock;
  /** Default: the time each admission is asked with. Processes whose clocks differ need `server`. */
  readonly limiterTime?: LimiterTime;
}

/**
 * Any number of processes share one set of limits and one ledger. Connects and loads the SDK with the first operation;
 * uses the emulator when `FIRESTORE_EMULATOR_HOST` is set, which the SDK itself reads. Every operation ends by its own
 * deadline (5 s, settlement and listings 10 s) with a Fault `internal` when it could not be done.
 */
export function openFirestoreStore(options: FirestoreStoreOptions): Store {
  const { projectId, clock = systemClock, limiterTime = 'caller' } = options;
  const client = createClient(projectId, clock);
  const memory = new Memory(clock);

  return {
    ...firestoreKeys(client),
    ...firestoreActs(client),
    ...firestoreSubscriptions(client),
    ...firestoreAccess(client, memory),
    ...firestoreAdmission(client, memory, limiterTime),
    ...firestoreBudgets(client),
    ...firestoreCheckpoints(client),
    ...firestoreSettlement(client, memory, clock),
    ...firestoreLedger(client, memory),
    ...firestoreMonths(client),
    ...firestoreAudits(client),
    ...firestoreRouterKeys(client),
    ...firestoreRouterModels(client),
    ...firestoreGrants(client),
    ...firestoreIdempotency(client),
    ...firestoreRuns(client),
    close: () => client.close(),
  };
}
