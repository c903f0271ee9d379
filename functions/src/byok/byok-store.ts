import type { Act } from '../access/act';
import type { UserMonth } from '../ledger/usage-store';
import type { Ability } from '../models/catalog';
import type { SealedSecret } from './secret-box';

/** The ports of bring your own key. Whatever changes something records the act it is given in the same commit. */
export interface ByokStore extends RouterKeyStore, RouterModelStore, GrantStore {}

/** A user's key for the model router, encrypted; the key itself is stored nowhere. */
export interface RouterKeyRecord {
  readonly userId: string;
  readonly enc: SealedSecret;
  readonly last4: string;
  readonly createdAtMs: number;
}

export interface RouterKeyStore {
  putRouterKey(record: RouterKeyRecord, act?: Act): Promise<void>;
  findRouterKey(userId: string): Promise<RouterKeyRecord | undefined>;
  /** The same key sealed anew; resolves false, changing nothing, when the stored one is no longer `from`. */
  resealRouterKey(userId: string, from: SealedSecret, to: SealedSecret): Promise<boolean>;
  deleteRouterKey(userId: string, act?: Act): Promise<boolean>;
}

/** A model of the router that its user has added, as the router's own list describes it. */
export interface RouterModelRecord {
  readonly slug: string;
  readonly name: string;
  readonly contextTokens: number | null;
  readonly vision: Ability;
  readonly tools: Ability;
  readonly addedAtMs: number;
}

/** Bound on all models of a user, and the act that is recorded with those added. */
export interface RouterModelTerms {
  readonly max: number;
  readonly act?: Act;
}

export interface RouterModelStore {
  /** Adds all of them or, when the user would then have more than `terms.max`, none: resolves false. */
  addRouterModels(userId: string, models: readonly RouterModelRecord[], terms: RouterModelTerms): Promise<boolean>;
  removeRouterModel(userId: string, slug: string, act?: Act): Promise<boolean>;
  /** In the order added, those added together by slug. */
  listRouterModels(userId: string): Promise<RouterModelRecord[]>;
}

/** A part of a user's monthly token grant, set aside for one run until it is settled or the lease ends. */
export interface GrantLease extends UserMonth {
  readonly requestId: string;
  /** In the place of what the request had leased before; 0 gives it back. */
  readonly tokens: number;
  readonly leaseUntilMs: number;
}

export interface GrantState {
  readonly usedTokens: number;
  readonly leasedTokens: number;
}

/** The decision on a lease. When not granted, the numbers say why; the request's own former lease then stays. */
export interface LeaseDecision extends GrantState {
  readonly granted: boolean;
}

/** Used tokens are added by `LedgerStore.settle`, in the commit that closes the record of a run with a lease. */
export interface GrantStore {
  /** Grants the lease unless used tokens, those others have leased and these exceed `maxTokens`. Safe to repeat. */
  leaseGrant(lease: GrantLease, maxTokens: number, nowMs: number): Promise<LeaseDecision>;
  readGrant(of: UserMonth, nowMs: number): Promise<GrantState>;
}
