import { type Refusal, refuse } from '../errors';
import { monthOf, monthStartMs } from '../ledger/month';
import type { Clock } from '../lib/clock';
import type { Log } from '../lib/log';
import type { ModelGateway } from '../models/gateway/gateway-call';
import { LEASE_MS } from '../runs/admit';
import type { GrantLease, GrantState, GrantStore, LeaseDecision } from './byok-store';
import { grantedGateway } from './granted-gateway';

/** Tokens of platform models a user of the bring-your-own-key plan has each UTC month. */
export const GRANT_TOKENS = 300_000;

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

/** Grants a lease unless what is used, what others have set aside and these tokens together exceed `maxTokens`. */
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

interface GrantedRun {
  readonly id: string;
  readonly userId: string;
  readonly startedAtMs: number;
}

/** A run's part of its user's monthly grant; settling the run ends it. */
export interface RunGrant {
  within(gateway: ModelGateway): ModelGateway;
  /** For a run that does not come about; never rejects. */
  giveBack(): Promise<void>;
}

/** Sets aside a run's estimate of platform tokens; undefined for none. Refuses with the numbers what the grant does not hold. */
export async function leaseForRun(
  { store, clock, log }: { readonly store: GrantStore; readonly clock: Clock; readonly log: Log },
  { id: requestId, userId, startedAtMs }: GrantedRun,
  estimate: number,
): Promise<RunGrant | Refusal | undefined> {
  if (estimate === 0) return undefined;
  const lease = { userId, month: monthOf(startedAtMs), requestId, leaseUntilMs: startedAtMs + LEASE_MS };
  let tokensMax = 0;
  const leaseTokens = async (tokens: number) => {
    const decision = await store.leaseGrant({ ...lease, tokens }, GRANT_TOKENS, clock.nowMs());
    // Where it was refused, what others have leased is all that is told.
    const ownTokens = decision.granted ? tokens : 0;
    tokensMax = GRANT_TOKENS - decision.usedTokens - (decision.leasedTokens - ownTokens);
    return decision;
  };
  const decision = await leaseTokens(estimate);
  if (!decision.granted) {
    return refuse('grant_used_up', tooLittle(decision, estimate, monthStartMs(startedAtMs, 1)));
  }
  const extend = async (tokens: number) => (await leaseTokens(tokens)).granted;
  return {
    within: (gateway) => grantedGateway(gateway, { tokens: estimate, extend, tokensMax: () => tokensMax }),
    giveBack: async () => {
      await leaseTokens(0).catch((error: unknown) => log.warn('lease not returned', { requestId }, error));
    },
  };
}

function tooLittle({ usedTokens, leasedTokens }: GrantState, tokens: number, renewedAtMs: number): string {
  const text = (count: number): string => count.toLocaleString('en-US');
  const left = Math.max(0, GRANT_TOKENS - usedTokens - leasedTokens);
  return [
    `Not enough tokens left for platform models: this run takes about ${text(tokens)}, and of the month's`,
    `${text(GRANT_TOKENS)} there are ${text(left)} left (${text(usedTokens)} used, ${text(leasedTokens)} set aside`,
    `for runs under way). Use router models only, or come back on ${new Date(renewedAtMs).toISOString().slice(0, 10)}.`,
  ].join(' ');
}
