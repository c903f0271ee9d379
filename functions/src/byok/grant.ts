import type { GrantLease, GrantState, LeaseDecision } from './byok-store';

/** Tokens of platform models a user of the bring-your-own-key plan has each UTC month. */
export const GRANT_TOKENS = 300_000;

/** Tokens that one run has set aside. */
export interface OpenLease {
  readonly tokens: number;
  readonly untilMs: number;
}

/** A month's grant as a store keeps it: leases by request. */
export interface Grant {
  readonly usedTokens: number;
  readonly leases: ReadonlyMap<string, OpenLease>;
}

export interface LeaseTerms {
  readonly maxTokens: number;
  readonly nowMs: number;
}

/**
 * Grants a lease unless what is used, what others have set aside and these tokens together exceed `maxTokens`. Leases
 * that have ended count no more, so a run that died gives back by itself what it held. Pure: the caller stores `leases`,
 * undefined when nothing is to be written. Throws a RangeError when the tokens are not a count.
 */
export function decideLease(
  { usedTokens, leases }: Grant,
  { requestId, tokens, leaseUntilMs }: GrantLease,
  { maxTokens, nowMs }: LeaseTerms,
): { readonly decision: LeaseDecision; readonly leases: Grant['leases'] | undefined } {
  if (!Number.isSafeInteger(tokens) || tokens < 0) throw new RangeError(`not a number of tokens: ${tokens}`);
  const kept = new Map([...leases].filter(([id, { untilMs }]) => id !== requestId && untilMs > nowMs));
  const { leasedTokens: othersTokens } = grantState({ usedTokens, leases: kept }, nowMs);
  // Giving back is always granted, also where more was used than there was.
  if (tokens > 0 && usedTokens + othersTokens + tokens > maxTokens) {
    return { decision: { granted: false, usedTokens, leasedTokens: othersTokens }, leases: undefined };
  }
  if (tokens > 0) kept.set(requestId, { tokens, untilMs: leaseUntilMs });
  return { decision: { granted: true, usedTokens, leasedTokens: othersTokens + tokens }, leases: kept };
}

/** A grant as it stands at a moment: leases that have ended count no more. */
export function grantState({ usedTokens, leases }: Grant, nowMs: number): GrantState {
  const open = [...leases.values()].filter(({ untilMs }) => untilMs > nowMs);
  return { usedTokens, leasedTokens: open.reduce((sum, { tokens }) => sum + tokens, 0) };
}
