import type { Clock } from '../../lib/clock';
import type { Documents } from '../documents';
import type { Store } from '../store';
import { accessRepository } from './access';
import { actRepository } from './acts';
import { admissionRepository } from './admission';
import { auditRepository } from './audits';
import { budgetRepository } from './budgets';
import { checkpointRepository } from './checkpoints';
import { grantRepository } from './grants';
import { idempotencyRepository } from './idempotency';
import { keyRepository } from './keys';
import { KnownRequests, ledgerRepository, type Processes } from './ledger';
import type { LimiterClock } from './limiter-clock';
import { monthRepository } from './months';
import { routerKeyRepository } from './router-keys';
import { routerModelRepository } from './router-models';
import { runRepository } from './runs';
import { settlementRepository } from './settlement';
import { subscriptionRepository } from './subscriptions';

interface RepositoryDeps {
  readonly clock: Clock;
  readonly limiterClock: LimiterClock;
  /** Milliseconds between two checkpoints of a run. */
  readonly checkpointEveryMs: number;
  readonly processes?: Processes;
}

type Repositories = Omit<Store, 'close' | 'onDisk'>;

/** The repositories of all domains over one database. */
export function repositoriesOf(documents: Documents, deps: RepositoryDeps): Repositories {
  const { clock, limiterClock, checkpointEveryMs, processes } = deps;
  const known = new KnownRequests();
  return {
    ...keyRepository(documents),
    ...actRepository(documents),
    ...subscriptionRepository(documents),
    ...accessRepository(documents),
    ...admissionRepository(documents, { known, limiterClock, processes }),
    ...budgetRepository(documents),
    checkpointEveryMs,
    ...checkpointRepository(documents),
    ...settlementRepository(documents, known, clock),
    ...ledgerRepository(documents, known, processes),
    ...monthRepository(documents),
    ...auditRepository(documents),
    ...routerKeyRepository(documents),
    ...routerModelRepository(documents),
    ...grantRepository(documents),
    ...idempotencyRepository(documents),
    ...runRepository(documents, clock, processes),
  };
}
