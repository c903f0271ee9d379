/*
 * What the service remembers: the ports of all domains together and two adapters of them, `embedded/` (one SQLite file)
 * and `firestore/`. May import the ports and the pure functions beside them; must not hold a rule of a domain. Both
 * adapters must pass `test/contract/store.contract.ts`.
 */
import type { ByokStore } from '../byok/byok-store';
import type { ActStore } from '../guard/act';
import type { BudgetStore } from '../guard/budget';
import type { AccessStore, KeyStore, KeyTagStore } from '../guard/key-store';
import type { AdmissionStore } from '../guard/rate-limit';
import type { SubscriptionStore } from '../guard/subscription';
import type { IdempotencyStore } from '../idempotency/idempotency-store';
import type { RunStore } from '../runs/run-store';
import type { AuditStore } from '../usage/audit-store';
import type { LedgerStore } from '../usage/ledger-store';
import type { UsageStore } from '../usage/usage-store';

/** All times are milliseconds since the Unix epoch, all money is whole nano-USD. */
export type Store = KeyStore &
  ActStore &
  KeyTagStore &
  SubscriptionStore &
  AccessStore &
  AdmissionStore &
  BudgetStore &
  LedgerStore &
  UsageStore &
  AuditStore &
  ByokStore &
  IdempotencyStore &
  RunStore & {
    /** Releases files and connections. */
    close(): Promise<void>;
  };
