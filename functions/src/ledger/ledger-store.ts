import type { CallRow } from './call-row';
import type { UsageSums, UserMonth } from './usage-store';

/** Time for which closed records are kept, from the start of their request or its end. Open ones are kept until they are closed. */
export const LEDGER_RETENTION_MS = 400 * 24 * 60 * 60 * 1000;

/** A request for admission: its limiter entry and its open ledger record, in the month of its start, are one commit. */
export interface Reservation extends UserMonth {
  readonly requestId: string;
  readonly keyId: string;
  /** The first of the keys that it goes back to by rotations, where it is not that one itself. */
  readonly originId?: string;
  readonly keyName: string;
  readonly endpoint: string;
  readonly strategy?: string;
  readonly startedAtMs: number;
  /** After this moment the process that wrote it is dead and the sweep may settle it. */
  readonly leaseUntilMs: number;
  /** Calls that may start once it is committed (write-ahead). Null: it only takes a rate slot and opens no record. */
  readonly calls: readonly CallRow[] | null;
  /** Likely cost: counts against budgets while the record is open. Absent means nothing. */
  readonly estimateNanoUsd?: number;
  /** Set for a run on the user's monthly grant: settling it ends its lease and adds the tokens of its platform calls. */
  readonly onGrant?: true;
}

/** The id that months and budgets count a key under: that of the first key of its line. */
export function originOf({ keyId, originId = keyId }: Pick<Reservation, 'keyId' | 'originId'>): string {
  return originId;
}

/** A ledger record: `open` until settled once, by the request itself (`settled`) or by the sweep (`swept`). */
export interface LedgerRecord extends Omit<Reservation, 'estimateNanoUsd'> {
  readonly calls: readonly CallRow[];
  readonly state: 'open' | 'settled' | 'swept';
}

/** A request, as far as its settlement needs to know it; fixed for good by its reservation. */
export type SettledRequest = Pick<
  Reservation,
  'requestId' | 'userId' | 'keyId' | 'originId' | 'keyName' | 'month' | 'startedAtMs' | 'onGrant'
>;

/** The way a request ended. */
export type RequestOutcome = 'complete' | 'stopped' | 'failed';

export interface Settlement {
  readonly request: SettledRequest;
  readonly state: 'settled' | 'swept';
  /** Absent where it is not known. */
  readonly outcome?: RequestOutcome;
  /** All calls of the request; they replace those written before. */
  readonly calls: readonly CallRow[];
  readonly settledAtMs: number;
}

/** Counts that are not whole numbers from 0 to 2^53 - 1 are refused with a RangeError wherever calls are written. */
export interface LedgerStore {
  /** Time between two writes of what running calls have produced: as short as a write is worth its price. */
  readonly checkpointEveryMs: number;
  /** Undefined when all commits would survive a power failure, else resolves once they would; left out where they always do. */
  onDisk?(): Promise<void> | undefined;
  /**
   * Overwrites calls of an open record, adding new ones. No-op once settled; rejects when nothing was reserved. Of two at
   * once that write the same call either may win.
   */
  checkpoint(requestId: string, calls: readonly CallRow[]): Promise<void>;
  /** Closes the record and adds its calls to month and grant, exactly once: `applied` the first time, `already` ever after. */
  settle(settlement: Settlement): Promise<'applied' | 'already' | 'missing'>;
  /** Ends a reservation that may or may not be committed, so that a commit that comes late opens nothing. */
  abandon(reservation: Reservation, settledAtMs: number): Promise<'applied' | 'already'>;
  /** Open records whose lease ended before `nowMs`, by its end and then by id: those after `last`, at most `max`. */
  listExpired(nowMs: number, max: number, last?: LedgerRecord): Promise<LedgerRecord[]>;
  /** Moves the end of an open record's lease, so that it is not listed before. No-op for any other. */
  postpone(requestId: string, leaseUntilMs: number): Promise<void>;
  findRecord(requestId: string): Promise<LedgerRecord | undefined>;
}

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
