import { type Clock, systemClock } from '../../lib/clock';
import type { Store } from '../store';
import { firestoreAccess } from './access';
import { firestoreAdmission } from './admission';
import { firestoreAudit } from './audit';
import { firestoreCheckpoints } from './checkpoints';
import { createClient } from './client';
import { firestoreGrants } from './grants';
import { KeyUses } from './key-uses';
import { firestoreKeys } from './keys';
import { firestoreLedger } from './ledger';
import type { LimiterTime } from './limiter-time';
import { firestoreMonths } from './months';
import { Places } from './places';
import { RecentLogs } from './recent-logs';
import { firestoreRouterKeys } from './router-keys';
import { firestoreRouterModels } from './router-models';
import { firestoreSettlement } from './settlement';
import { firestoreSubscriptions } from './subscriptions';

/** Which Firestore to use. */
export interface FirestoreStoreOptions {
  readonly projectId: string;
  /** HTTP/1.1 instead of gRPC. */
  readonly preferRest?: boolean;
  /** Deadlines and pauses go by it. */
  readonly clock?: Clock;
  /** Default: the time each admission is asked with. Processes whose clocks differ need `server`. */
  readonly limiterTime?: LimiterTime;
}

/**
 * The store on Firestore: any number of processes share one set of limits and books. Connects and loads the SDK with
 * the first operation; uses the emulator when `FIRESTORE_EMULATOR_HOST` is set, which the SDK itself reads. Every
 * operation ends by its own deadline (5 s, settlement 10 s) with a Fault `internal` when it could not be done.
 * Documents and fields: see the `…-document` files.
 */
export function openFirestoreStore(options: FirestoreStoreOptions): Store {
  const { projectId, preferRest = false, clock = systemClock, limiterTime = 'caller' } = options;
  const client = createClient({ projectId, preferRest, clock });
  const logs = new RecentLogs(clock);
  const places = new Places();
  const uses = new KeyUses();

  return {
    ...firestoreKeys(client),
    ...firestoreSubscriptions(client),
    ...firestoreAccess(client, { logs, uses }),
    ...firestoreAdmission(client, { logs, places, limiterTime }),
    ...firestoreCheckpoints(client),
    ...firestoreSettlement(client, { places, uses, clock }),
    ...firestoreLedger(client, places),
    ...firestoreMonths(client),
    ...firestoreAudit(client),
    ...firestoreRouterKeys(client),
    ...firestoreRouterModels(client),
    ...firestoreGrants(client),
    close: () => client.close(),
  };
}
