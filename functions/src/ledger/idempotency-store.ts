/** A request that wants to be the one that is made under an idempotency key. */
export interface Claim {
  /** Digest of an API key and an idempotency key together: 64 hex characters. */
  readonly id: string;
  /** Digest of the endpoint and the body. */
  readonly fingerprint: string;
  /** The id of the request that claims. */
  readonly requestId: string;
  /** The claim is void from here on unless it is renewed: its process has died. */
  readonly leaseUntilMs: number;
  /** Everything is forgotten from here on. */
  readonly expiresAtMs: number;
}

/** Outcome of a claim: granted, or the request that holds the key, with its sealed reply where it has ended well. */
export type ClaimOutcome =
  | { readonly granted: true }
  | { readonly granted: false; readonly fingerprint: string; readonly reply?: Uint8Array };

/** Names a granted claim. */
export type Claimed = Pick<Claim, 'id' | 'requestId'>;

/** Requests with an idempotency key, over all processes. */
export interface IdempotencyStore {
  /**
   * Grants a claim unless one is alive or has its reply, in one step: of any number of claims at once one is granted.
   * Repeated by its own request it is granted again. A lease from before the clock was set back ends with this one's.
   */
  claimKey(claim: Claim, nowMs: number): Promise<ClaimOutcome>;
  /** Lengthens a claim's lease; does nothing when the key is another request's by now, or has its reply. */
  renewClaim(claimed: Claimed, leaseUntilMs: number): Promise<void>;
  /** Keeps the reply and ends the claim; does nothing when the key is another request's by now. */
  keepReply(claimed: Claimed, reply: Uint8Array): Promise<void>;
  /** Frees the key; does nothing when it is another request's by now, or has its reply. */
  releaseClaim(claimed: Claimed): Promise<void>;
}
