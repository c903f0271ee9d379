import { type Refusal, refuse } from '../errors';
import { monthOf, monthStartMs } from '../ledger/month';
import type { Log } from '../lib/log';
import type { ModelGateway } from '../models/gateway/gateway-call';
import { LEASE_MS } from '../runs/admit';
import type { GrantState, GrantStore } from './byok-store';
import type { Departure } from './drained-signal';
import { GRANT_TOKENS } from './grant';
import { grantedGateway } from './granted-gateway';

/** A run's part of its user's monthly grant; settling the run ends it. */
export interface RunGrant {
  /** The gateway, for platform calls within the grant. */
  within(gateway: ModelGateway): ModelGateway;
  /** For a run that does not come about; never rejects. */
  giveBack(): Promise<void>;
}

/**
 * Sets aside what a run is likely to take of the monthly grant, `estimate` in tokens of platform models, for as long as its ledger record may be open; undefined
 * for a run without platform models. Refuses with the numbers when the grant does not hold it.
 */
export async function leaseForRun(
  {
    store,
    clock,
    log,
    stopping,
  }: Pick<Departure, 'clock' | 'stopping'> & { readonly store: GrantStore; readonly log: Log },
  run: Pick<Departure, 'clientGone'> & { readonly id: string; readonly userId: string; readonly startedAtMs: number },
  estimate: number,
): Promise<RunGrant | Refusal | undefined> {
  const { id: requestId, userId, startedAtMs } = run;
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
  return {
    within: (gateway) => {
      const extend = async (tokens: number) => (await leaseTokens(tokens)).granted;
      return grantedGateway(
        gateway,
        { tokens: estimate, extend, tokensMax: () => tokensMax },
        { clock, ...run, stopping },
      );
    },
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
