import type { CallRow } from '../usage/call-row';
import type { ByokStore } from './byok-store';

/**
 * The store ports: everything the service remembers, as the domain sees it.
 * Two adapters implement them (embedded, Firestore); `test/contract/store.contract.ts` is what both must pass.
 * All times are milliseconds since the Unix epoch, all money is integer nano-USD.
 */

/** A key works only while `active` and, when it has one, before its `expiresAtMs`. */
export type KeyStatus = 'active' | 'inactive' | 'revoked';

/** An API key at rest: the key itself is never stored, only `hash`. */
export interface KeyRecord {
  readonly keyId: string;
  /** Peppered HMAC of the whole key, base64url; the look-up id. */
  readonly hash: string;
  /** Names the pepper that made `hash`. */
  readonly pepperVersion: string;
  readonly userId: string;
  readonly name: string;
  /** The public start of the key, e.g. `sk-ens_`. */
  readonly prefix: string;
  readonly last4: string;
  readonly status: KeyStatus;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  /** Start of a settled request; moved on at most every five minutes, never back. */
  readonly lastUsedAtMs: number | null;
  /** The key that took over when this one was rotated. */
  readonly replacedBy: string | null;
}

export interface KeyStore {
  /** Rejects when the key id or hash exists already. */
  insertKey(record: KeyRecord): Promise<void>;
  findKey(keyId: string): Promise<KeyRecord | undefined>;
  /** Newest first. */
  listKeys(userId: string): Promise<KeyRecord[]>;
  /** Changes status, expiry or successor; resolves false when there is no such key. */
  updateKey(keyId: string, change: Partial<Pick<KeyRecord, 'status' | 'expiresAtMs' | 'replacedBy'>>): Promise<boolean>;
}

/** What a user has paid for. API access needs tier `pro` and status `active` or `trialing` (spec "States"). */
export interface Subscription {
  readonly userId: string;
  readonly tier: string;
  readonly status: string;
  /** When the source of truth said so; an older statement never overwrites a newer one. */
  readonly sourceUpdatedAtMs: number;
}

export interface SubscriptionStore {
  getSubscription(userId: string): Promise<Subscription | undefined>;
  /** Resolves false when a newer statement is already stored. */
  putSubscription(subscription: Subscription): Promise<boolean>;
}

/** What the guard needs to know of a key's owner, read together and never cached. */
export interface Access {
  readonly key: KeyRecord;
  readonly subscription: Subscription | undefined;
}

export interface AccessStore {
  /** The key stored under any of `hashes` (one per pepper version) and its owner's subscription. */
  readAccess(hashes: readonly string[]): Promise<Access | undefined>;
}

/** A request that asks to be let in: its limiter entry and its open ledger record are written in one commit. */
export interface Reservation {
  readonly requestId: string;
  readonly userId: string;
  readonly keyId: string;
  readonly keyName: string;
  readonly endpoint: string;
  /** UTC month of the request's start, `YYYY-MM`; fixed here for good. */
  readonly month: string;
  readonly startedAtMs: number;
  /** After this moment the process that wrote it is dead and the sweep may settle it. */
  readonly leaseUntilMs: number;
  /**
   * Calls that may start as soon as the reservation is committed (write-ahead). Null for a request that only takes a
   * rate slot (`GET /v1/usage`): no ledger record is opened for it.
   */
  readonly calls: readonly CallRow[] | null;
  /**
   * Set for a run whose platform calls count against the user's monthly grant: settling it adds their tokens to what is
   * used and ends its lease.
   */
  readonly onGrant?: true;
}

/** One user's limiter: at most `max` admissions in any `windowMs`. */
export interface RateLimit {
  readonly plan: 'api' | 'byok';
  readonly max: number;
  readonly windowMs: number;
}

/** The limiter's word on one request. */
export type Admission =
  | { readonly admitted: true; readonly remaining: number; readonly resetMs: number }
  | {
      readonly admitted: false;
      /** When the oldest slot frees, so that a lone retry then succeeds. */
      readonly retryAtMs: number;
      /** How long that is from the limiter's own "now" (never behind its newest entry). */
      readonly waitMs: number;
    };

export interface AdmissionStore {
  /**
   * Decides on `reservations` (all of one user) in order, in one commit: those let in are logged and their ledger
   * records opened; the others leave no trace. Safe to repeat: a request id already logged counts once.
   * `nowMs` is the caller's clock; a store whose processes' clocks may differ can decide by a clock of its own instead,
   * which `retryAtMs` then is in. Waits are the same on any clock.
   */
  admit(limit: RateLimit, reservations: readonly Reservation[], nowMs: number): Promise<Admission[]>;
}

/** A ledger record: `open` until settled once, by the request itself (`settled`) or by the sweep (`swept`). */
export interface LedgerRecord extends Reservation {
  readonly calls: readonly CallRow[];
  readonly state: 'open' | 'settled' | 'swept';
}

/** The final word on one request. */
export interface Settlement {
  readonly requestId: string;
  readonly state: 'settled' | 'swept';
  /** All calls of the request; they replace those written before. */
  readonly calls: readonly CallRow[];
  readonly settledAtMs: number;
}

/** Counts that are not whole numbers from 0 to 2^53 - 1 are refused with a RangeError wherever calls are written. */
export interface LedgerStore {
  /**
   * Overwrites the named calls of an open record with absolute values, adding new ones. No-op once settled; rejects
   * when nothing was reserved.
   */
  checkpoint(requestId: string, calls: readonly CallRow[]): Promise<void>;
  /**
   * Closes the record and adds its calls to the month (and to the grant of one `onGrant`), exactly once whatever is
   * repeated or raced:
   * `applied` the first time, `already` ever after, `missing` when nothing was reserved.
   */
  settle(settlement: Settlement): Promise<'applied' | 'already' | 'missing'>;
  /** Open records whose lease ended before `nowMs`, at most `max`. */
  listExpired(nowMs: number, max: number): Promise<LedgerRecord[]>;
  findRecord(requestId: string): Promise<LedgerRecord | undefined>;
}

/** One line of a month: what one model, or one key, consumed. */
export interface UsageLine {
  readonly id: string;
  readonly name: string;
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costNanoUsd: number;
}

/** One user's month. `requests` counts admitted API requests; a model line counts calls to that model. */
export interface UsageMonth {
  readonly month: string;
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costNanoUsd: number;
  readonly models: readonly UsageLine[];
  readonly keys: readonly UsageLine[];
}

export interface UsageStore {
  /**
   * The months that exist, of those asked for, in the order asked. Lines have the newest name of their id and come
   * sorted: highest cost first, then most tokens, then by id.
   */
  readMonths(userId: string, months: readonly string[]): Promise<UsageMonth[]>;
}

/** One user's month. */
export interface UserMonth {
  readonly userId: string;
  /** `YYYY-MM` */
  readonly month: string;
}

/** Reading the ledger back, to check the months against it. */
export interface AuditStore {
  /** Every month that a record closed at `sinceMs` or later is booked in, once each, in no particular order. */
  listTouchedMonths(sinceMs: number): Promise<UserMonth[]>;
  /**
   * The records booked in one month, open ones too, by request id: those after `afterRequestId` (empty: from the
   * first), at most `max`; fewer only at the end.
   */
  listRecords(of: UserMonth, page: { readonly afterRequestId: string; readonly max: number }): Promise<LedgerRecord[]>;
}

/** All ports of one store. */
export interface Store
  extends KeyStore,
    SubscriptionStore,
    AccessStore,
    AdmissionStore,
    LedgerStore,
    UsageStore,
    AuditStore,
    ByokStore {
  /** Releases files and connections. */
  close(): Promise<void>;
}
