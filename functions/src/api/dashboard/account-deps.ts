import type { ActStore } from '../../access/act';
import type { BudgetStore } from '../../access/budget';
import type { KeyDeps } from '../../access/keys';
import type { RateLimit } from '../../access/rate-limit';
import type { EndSessions } from '../../access/sign-in';
import type { GrantStore, RouterModelStore } from '../../byok/byok-store';
import type { RouterKeyDeps } from '../../byok/router-keys';
import type { RouterModelDeps } from '../../byok/router-models';
import type { AccountRequest } from '../../http/route';
import type { UsageStore } from '../../ledger/usage-store';
import type { Catalog } from '../../models/catalog';
import type { OfferedModels } from '../../models/offered-models';

/** What the dashboard's routes work with; made once by the composition root. */
export interface AccountDeps
  extends KeyDeps,
    RouterKeyDeps,
    RouterModelDeps,
    Pick<OfferedModels, 'offeredModels' | 'unsearchable'> {
  readonly store: KeyDeps['store'] &
    RouterKeyDeps['store'] &
    RouterModelStore &
    GrantStore &
    ActStore &
    BudgetStore &
    UsageStore;
  readonly catalog: Catalog;
  /** Absent where nobody signs in. */
  readonly endSessions?: EndSessions;
  /** What a user on Pro may ask of `/v1`, and what runs with router models may take. */
  readonly limits: { readonly api: RateLimit; readonly byok: RateLimit };
}

/** The same for one request: what it does is recorded with the network it came from. */
export function depsOf(deps: AccountDeps, { network }: AccountRequest): AccountDeps {
  // A key ring that is not there yet is made when something is sealed, not when deps are copied.
  return Object.create(deps, { network: { value: network } });
}
