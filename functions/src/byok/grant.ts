import type { GrantLease, GrantWord } from '../store/byok-store';

/** Tokens of platform models a user of the bring-your-own-key plan has each UTC month (spec "Limits"). */
export const GRANT_TOKENS = 300_000;

/** What one run has set aside. */
export interface OpenLease {
  readonly tokens: number;
  readonly untilMs: number;
}

/** A month's grant as a store keeps it: leases by request. */
export interface GrantBook {
  readonly usedTokens: number;
  readonly leases: ReadonlyMap<string, OpenLease>;
}

/** What `decideLease` decides by. */
export interface LeaseTerms {
  readonly maxTokens: number;
  readonly nowMs: number;
}

/** The word on a lease, and the leases to keep: undefined when nothing is to be written. */
export interface LeaseDecision {
  readonly word: GrantWord;
  readonly leases: ReadonlyMap<string, OpenLease> | undefined;
}

/**
 * Grants a lease unless what is used, what others have set aside and these tokens together exceed `maxTokens`. Leases
 * that have ended count no more, so a run that died gives back by itself what it held. Pure: the caller stores `leases`.
 * Throws a RangeError when the tokens are not a count.
 */
export function decideLease(book: GrantBook, lease: GrantLease, { maxTokens, nowMs }: LeaseTerms): LeaseDecision {
  const { requestId, tokens, leaseUntilMs } = lease;
  if (!Number.isSafeInteger(tokens) || tokens < 0) throw new RangeError(`not a number of tokens: ${tokens}`);
  const others = new Map([...book.leases].filter(([id, { untilMs }]) => id !== requestId && untilMs > nowMs));
  const state = { usedTokens: book.usedTokens, leasedTokens: leasedTokens({ leases: others }, nowMs) };
  // Giving back is always granted, also where more was used than there was.
  if (tokens > 0 && state.usedTokens + state.leasedTokens + tokens > maxTokens) {
    return { word: { granted: false, ...state }, leases: undefined };
  }
  if (tokens > 0) others.set(requestId, { tokens, untilMs: leaseUntilMs });
  return { word: { granted: true, ...state, leasedTokens: state.leasedTokens + tokens }, leases: others };
}

/** What is set aside at a moment. */
export function leasedTokens({ leases }: Pick<GrantBook, 'leases'>, nowMs: number): number {
  return [...leases.values()].reduce((sum, { tokens, untilMs }) => sum + (untilMs > nowMs ? tokens : 0), 0);
}
