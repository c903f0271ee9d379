import type { RouterModelStore } from '../byok/byok-store';
import { isRefusal } from '../errors';
import type { Route } from '../http/route';
import { addUp } from '../ledger/consumption';
import { monthsBetween } from '../ledger/month';
import type { UsageLine } from '../ledger/usage-store';
import { ratesOf } from '../models/prices';
import { reservationOf } from '../runs/admit';
import { usd } from './answer/reply-parts';
import type { EndpointDeps } from './endpoint-deps';
import { parseRange, type Range } from './usage-range';

type UsageDeps = Pick<EndpointDeps, 'store' | 'clock' | 'catalog'>;

/** `GET /v1/usage`: the months that a range touches, whole, in one record. Takes a rate slot; opens no ledger record. */
export function usage(deps: EndpointDeps): Route {
  return {
    method: 'GET',
    path: '/v1/usage',
    endpoint: 'usage',
    limited: true,
    handle: async (request) => {
      const { caller, query, startedAtMs } = request;
      const range = parseRange(query, startedAtMs);
      if (isRefusal(range)) return range;
      const admitted = await deps.guard.admit(caller, reservationOf(request, null));
      if (isRefusal(admitted)) return admitted;
      return { body: await usageBodyOf(deps, caller.userId, range), headers: admitted.headers };
    },
  };
}

/** The reply's body; also what the operator's command line shows. */
export async function usageBodyOf(deps: UsageDeps, userId: string, { startMs, endMs }: Range) {
  const touched = monthsBetween(startMs, endMs);
  const months = await deps.store.readMonths(userId, touched);
  if (months.length === 0) return { object: 'list', data: [], has_more: false } as const;
  const { requests, promptTokens, completionTokens, costNanoUsd, models, keys } = addUp(months);
  const { unpriced } = await costlessModels(deps, userId, models);
  const record = {
    aggregation_timestamp: Math.floor(deps.clock.nowMs() / 1000),
    n_requests: requests,
    n_context_tokens_total: promptTokens,
    n_generated_tokens_total: completionTokens,
    total_tokens: promptTokens + completionTokens,
    total_cost: usd(costNanoUsd),
    period: { start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() },
    months: touched,
    breakdown: models.map((line) => ({
      model_id: line.id,
      model_name: line.name,
      n_requests: line.requests,
      n_context_tokens: line.promptTokens,
      n_generated_tokens: line.completionTokens,
      cost: usd(line.costNanoUsd),
      priced: unpriced.has(line.id) ? false : undefined,
    })),
    apiKeyBreakdown: keys.map((line) => ({
      keyName: line.name,
      requests: line.requests,
      totalTokens: line.promptTokens + line.completionTokens,
      cost: usd(line.costNanoUsd),
    })),
  };
  return { object: 'list', data: [record], has_more: false } as const;
}

/** Why models cost nothing, by their ids; those that are known to be free are in neither. */
export interface Costless {
  /** No price was known when they were called. */
  readonly unpriced: ReadonlySet<string>;
  /** The user's own models of the router, which bills them; also those that were not used. */
  readonly router: ReadonlySet<string>;
}

/** Why some of these lines of models cost nothing. */
export async function costlessModels(
  {
    store,
    clock,
    catalog,
  }: Pick<UsageDeps, 'clock' | 'catalog'> & { readonly store: Pick<RouterModelStore, 'listRouterModels'> },
  userId: string,
  lines: readonly UsageLine[],
): Promise<Costless> {
  const costless = lines.filter((line) => line.costNanoUsd === 0 && line.promptTokens + line.completionTokens > 0);
  const ids = [...new Set(costless.map(({ id }) => id))];
  // Only an id with a slash can be one of the user's router models.
  const own = ids.some((id) => id.includes('/')) ? await store.listRouterModels(userId) : [];
  const router = new Set(own.map(({ slug }) => slug));
  const nowMs = clock.nowMs();
  const unpriced = ids.filter((id) => {
    if (router.has(id)) return false;
    const rates = ratesOf(catalog.modelOf(id), nowMs);
    return rates === null || rates.inputUsdPerMillion + rates.outputUsdPerMillion > 0;
  });
  return { unpriced: new Set(unpriced), router };
}
