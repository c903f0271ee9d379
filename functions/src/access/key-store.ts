import type { Act } from './act';
import type { Subscription } from './subscription';

/** The endpoints a key may be limited to, by the names they have in the ledger. */
export const ENDPOINT_NAMES = [
  'chat.completions',
  'responses',
  'messages',
  'mcp',
  'evaluations',
  'runs',
  'usage',
  'models',
] as const;
export type EndpointName = (typeof ENDPOINT_NAMES)[number];

export interface KeyLimits {
  /** The models it may use: ids, with `*` for any characters (`models/model-policy.ts`). */
  readonly models?: readonly string[];
  readonly endpoints?: readonly EndpointName[];
  /** Requests in any 60 seconds, below the limit of its user, whose slots they take as well. */
  readonly requestsPerMinute?: number;
  readonly budgetNanoUsd?: number;
}

/** An API key at rest: the key itself is never stored, only `hash`. */
export interface KeyRecord extends KeyLimits {
  readonly keyId: string;
  /** Peppered HMAC of the whole key, base64url; the look-up id. */
  readonly hash: string;
  readonly pepperVersion: string;
  readonly userId: string;
  readonly name: string;
  readonly prefix: string;
  readonly last4: string;
  readonly status: 'active' | 'inactive' | 'revoked';
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  /** Time of the last request with it; moved on at most once a minute, never back. */
  readonly lastUsedAtMs: number | null;
  readonly replacedBy: string | null;
  /** The first key of the line that rotations make; absent for that one. Its monthly budget is that of the line. */
  readonly originId?: string;
}

/** A key as account management names it: a key of another user is as good as none. */
export interface OwnKey {
  readonly userId: string;
  readonly keyId: string;
}

/** Conditions for a key to be stored, and what is stored with it, all in one commit. */
export interface KeyTerms {
  /** Keys the user may have alive at `nowMs`, this one included; and as many that were rotated and work on. */
  readonly liveMax: number;
  readonly nowMs: number;
  /** The tag key it was made with, kept for the time when its pepper is retired. */
  readonly tagKey: string;
  /** The user's live key that it takes over from, which then ends at `endsAtMs`. */
  readonly replaces?: { readonly keyId: string; readonly endsAtMs: number };
  readonly act?: Act;
}

/** `full`: the user has `liveMax` keys; `gone`: the key to be replaced is not the user's, not live, or was replaced. */
export type KeyInsertion = 'inserted' | 'full' | 'gone';

/** Limits that a key is to have; null takes one away. */
export type LimitChange = { readonly [Limit in keyof KeyLimits]: KeyLimits[Limit] | null };

export type KeyChange = Partial<Pick<KeyRecord, 'name' | 'status' | 'expiresAtMs' | 'replacedBy'>> & LimitChange;

export interface KeyStore {
  /** Stores a key and, with `terms`, only if they hold, however many are stored at once. */
  insertKey(record: KeyRecord, terms?: KeyTerms): Promise<KeyInsertion>;
  /** Whoever's key it is: for the operator. */
  findKey(keyId: string): Promise<KeyRecord | undefined>;
  /** Newest first. */
  listKeys(userId: string): Promise<KeyRecord[]>;
  /** Changes a key of its user and records the act; resolves false when the user has no such key. */
  updateKey(key: OwnKey, change: KeyChange, act?: Act): Promise<boolean>;
}

/** The tag keys that keys were made with (`createKeyTags`). */
export interface KeyTagStore {
  /** One for each pepper that any key was ever made under. */
  listTagKeys(): Promise<string[]>;
}

/** Key and subscription of a caller, read together and never cached. */
export interface Access {
  readonly key: KeyRecord;
  readonly subscription: Subscription | undefined;
}

export interface AccessStore {
  /** The key stored under any of `hashes` (one per pepper version) and its owner's subscription. */
  readAccess(hashes: readonly string[]): Promise<Access | undefined>;
  /** Moves a key to the hash of another pepper; resolves false when it is under neither. */
  rehashKey(from: string, to: Pick<KeyRecord, 'hash' | 'pepperVersion'>): Promise<boolean>;
  /** Moves the last use of the key stored under `hash` on, if that is due; without effect where there is none. */
  noteKeyUse(hash: string, usedAtMs: number): Promise<void>;
}
