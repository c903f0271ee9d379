/*
 * What the service remembers: the ports of all domains together and two adapters of them, `embedded/` (one SQLite file)
 * and `firestore/`. May import the ports and the pure functions beside them; must not hold a rule of a domain. Both
 * adapters must pass `test/contract/store.contract.ts`.
 */

import type { ActStore } from '../access/act';
import type { BudgetStore } from '../access/budget';
import type { AccessStore, KeyStore, KeyTagStore } from '../access/key-store';
import type { AdmissionStore } from '../access/rate-limit';
import type { SubscriptionStore } from '../access/subscription';
import type { ByokStore } from '../byok/byok-store';
import type { IdempotencyStore } from '../ledger/idempotency';
import type { AuditStore, LedgerStore } from '../ledger/ledger-store';
import type { RequestLogStore } from '../ledger/request-log';
import type { UsageStore } from '../ledger/usage-store';
import type { PresetStore } from '../runs/preset-store';
import type { RunStore } from '../runs/run-store';
import type { TurnStore } from '../runs/turn-store';

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
  RequestLogStore &
  AuditStore &
  ByokStore &
  IdempotencyStore &
  PresetStore &
  TurnStore &
  RunStore & {
    /** Releases files and connections. */
    close(): Promise<void>;
  };
