import { GRANT_TOKENS } from '../byok/grant';
import { estimatePlatformTokens } from '../byok/grant-estimate';
import { grantedGateway } from '../byok/granted-gateway';
import { LEASE_MS } from '../endpoints/open-books';
import type { EnsembleRequest } from '../ensemble/run';
import { type Refusal, refuse } from '../errors';
import type { Clock } from '../lib/clock';
import type { Log } from '../lib/log';
import type { ModelGateway } from '../models/gateway';
import type { GrantLease, GrantState, GrantStore } from '../store/byok-store';
import { monthOf, monthStartMs } from '../usage/month';

/** What leases are taken with. */
export interface GrantDesk {
  readonly store: GrantStore;
  readonly clock: Clock;
  readonly log: Log;
}

/** Whose run is to lease, and when it began. */
export interface LeasingRun {
  readonly id: string;
  readonly userId: string;
  readonly startedAtMs: number;
}

/** A run's part of its user's monthly grant; settling the run ends it. */
export interface RunGrant {
  /** The gateway, for platform calls within the grant. */
  within(gateway: ModelGateway): ModelGateway;
  /** For a run that does not come about; never rejects. */
  giveBack(): Promise<void>;
}

/**
 * Sets aside what a run is likely to take of the monthly grant, for as long as its ledger record may be open; undefined
 * for a run without platform models. Refuses with the numbers when the grant does not hold it.
 */
export async function leaseForRun(
  { store, clock, log }: GrantDesk,
  { id: requestId, userId, startedAtMs }: LeasingRun,
  ensemble: EnsembleRequest,
): Promise<RunGrant | Refusal | undefined> {
  const tokens = estimatePlatformTokens(ensemble);
  if (tokens === 0) return undefined;
  const month = monthOf(startedAtMs);
  const lease: GrantLease = { userId, month, requestId, tokens, leaseUntilMs: startedAtMs + LEASE_MS };
  const ask = (amount: number) => store.leaseGrant({ ...lease, tokens: amount }, GRANT_TOKENS, clock.nowMs());
  const word = await ask(tokens);
  if (!word.granted) return refuse('grant_used_up', tooLittle(word, tokens, monthStartMs(startedAtMs, 1)));
  return {
    within: (gateway) => grantedGateway(gateway, { tokens, extend: async (more) => (await ask(more)).granted }),
    giveBack: async () => {
      await ask(0).catch((error: unknown) => log.leaseNotReturned(requestId, error));
    },
  };
}

function tooLittle({ usedTokens, leasedTokens }: GrantState, tokens: number, renewedAtMs: number): string {
  const words = (count: number): string => count.toLocaleString('en-US');
  const left = Math.max(0, GRANT_TOKENS - usedTokens - leasedTokens);
  return [
    `Not enough tokens left for platform models: this run takes about ${words(tokens)}, and of the month's`,
    `${words(GRANT_TOKENS)} there are ${words(left)} left (${words(usedTokens)} used, ${words(leasedTokens)} set aside`,
    `for runs under way). Use router models only, or come back on ${new Date(renewedAtMs).toISOString().slice(0, 10)}.`,
  ].join(' ');
}
