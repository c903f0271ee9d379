import type { Clock } from '../../lib/clock';
import type { Documents } from '../documents';
import type { Store } from '../store';
import { actRepository } from './acts';
import { admissionRepository } from './admission';
import { auditRepository } from './audits';
import { budgetRepository } from './budgets';
import { byokRepository } from './byok';
import { idempotencyRepository } from './idempotency';
import { accessRepository, keyRepository } from './keys';
import { type HasEnded, ledgerRepository } from './ledger';
import { monthRepository } from './months';
import { presetRepository } from './presets';
import { requestRepository } from './requests';
import { runRepository } from './runs';
import { settlementRepository } from './settlement';
import { subscriptionRepository } from './subscriptions';
import { turnRepository } from './turns';

interface RepositoryDeps {
  readonly clock: Clock;
  /** The limiter goes by the database's own time, one for all processes, and not by that of this machine. */
  readonly inServerTime?: boolean;
  /** Milliseconds between two checkpoints of a run. */
  readonly checkpointEveryMs: number;
  /** The name of this process among those that share the database on one machine. */
  readonly owner?: string;
  readonly hasEnded?: HasEnded;
}

type Repositories = Omit<Store, 'close' | 'onDisk'>;

/** The repositories of all domains over one database. */
export function repositoriesOf(documents: Documents, deps: RepositoryDeps): Repositories {
  return {
    checkpointEveryMs: deps.checkpointEveryMs,
    ...keyRepository(documents),
    ...actRepository(documents),
    ...subscriptionRepository(documents),
    ...accessRepository(documents),
    ...admissionRepository(documents, deps),
    ...budgetRepository(documents),
    ...settlementRepository(documents, deps.clock),
    ...ledgerRepository(documents, deps.hasEnded),
    ...monthRepository(documents),
    ...requestRepository(documents),
    ...auditRepository(documents),
    ...byokRepository(documents),
    ...idempotencyRepository(documents),
    ...runRepository(documents, deps),
    ...presetRepository(documents),
    ...turnRepository(documents),
  };
}
