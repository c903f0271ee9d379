import type { UsageSums } from './consumption';
import type { LedgerRecord } from './ledger-store';
import type { UserMonth } from './usage-store';

/** A record that is closed. */
export interface ClosedRecord extends LedgerRecord {
  readonly settledAtMs: number;
}

/** Sums of the ledger of one user's month at its last check, so that it need not be read again. */
export interface Audit extends UserMonth {
  /** Records closed before this moment are in the sums. */
  readonly untilMs: number;
  readonly sums: UsageSums;
}

/** Reading the ledger back, to check the months against it. */
export interface AuditStore {
  /** Records closed at `sinceMs` or later, by that moment and then by id: those after `last`, `max` of them but at the end. */
  listClosed(sinceMs: number, max: number, last?: ClosedRecord): Promise<ClosedRecord[]>;
  /** Undefined for a month that was never checked. */
  readAudit(of: UserMonth): Promise<Audit | undefined>;
  /** Replaces the one kept of this month. */
  keepAudit(audit: Audit): Promise<void>;
  /** The moment up to which all months were checked; 0 before the first time. */
  readAuditedUntil(): Promise<number>;
  keepAuditedUntil(untilMs: number): Promise<void>;
}
