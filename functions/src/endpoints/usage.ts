import { isRefusal, type Refusal, refuse } from '../errors';
import type { Catalog } from '../models/catalog';
import { ratesOf } from '../models/prices';
import type { Reservation, UsageLine, UsageMonth } from '../store/store';
import { monthOf, monthStartMs, monthsBetween } from '../usage/month';
import { mergeMonths } from '../usage/monthly';
import { usd } from './completion-body';
import { type ApiRequest, json, type Route } from './endpoint';
import type { Services } from './services';

const MONTHS_MAX = 24;
/** No date worth parsing is longer. */
const DATE_CHARACTERS_MAX = 64;

/** A closed range of time, milliseconds. */
interface Range {
  readonly startMs: number;
  readonly endMs: number;
}

/** `GET /v1/usage`: the months the range touches, whole, in one record. Takes a rate slot, is no request in the books. */
export function usage(services: Services): Route {
  return {
    method: 'GET',
    path: '/v1/usage',
    limited: true,
    handle: async (request) => {
      const range = parseRange(request.query, request.startedAtMs);
      if (isRefusal(range)) return range;
      const admitted = await services.guard.admit(request.caller, slotOnly(request));
      if (isRefusal(admitted)) return admitted;
      const body = await usageBodyOf(services, request.caller.userId, range);
      return json(body, admitted.headers);
    },
  };
}

/** The reply's body; also what the operator's CLI shows. */
export async function usageBodyOf(
  { store, clock, catalog }: Pick<Services, 'store' | 'clock' | 'catalog'>,
  userId: string,
  range: Range,
): Promise<object> {
  const months = await store.readMonths(userId, monthsBetween(range.startMs, range.endMs));
  if (months.length === 0) return { object: 'list', data: [], has_more: false };
  const month = mergeMonths(months);
  // Only a line that cost nothing and has a slug's name can be of the user's own router models.
  const hasOwn = month.models.some(({ id, costNanoUsd }) => costNanoUsd === 0 && id.includes('/'));
  const own = hasOwn ? await store.listRouterModels(userId) : [];
  const prices = { catalog, nowMs: clock.nowMs(), free: new Set(own.map(({ slug }) => slug)) };
  return { object: 'list', data: [record(month, range, prices)], has_more: false };
}

/** The range asked for; defaults: the start of this UTC month, now (spec "GET /v1/usage"). */
export function parseRange(query: URLSearchParams, nowMs: number): Range | Refusal {
  const startMs = parseDate(query.get('start_date'), monthStartMs(nowMs));
  const endMs = parseDate(query.get('end_date'), nowMs);
  if (startMs === undefined || endMs === undefined) return refuse('invalid_request', 'Invalid date format');
  if (startMs > endMs) return refuse('invalid_request', 'Invalid date range');
  const limit = new Date(startMs);
  limit.setUTCMonth(limit.getUTCMonth() + MONTHS_MAX);
  if (endMs > limit.getTime()) return refuse('invalid_request', `Date range must not exceed ${MONTHS_MAX} months`);
  return { startMs, endMs };
}

/** Unix seconds when all digits, else anything a JavaScript `Date` can parse. */
function parseDate(text: string | null, fallbackMs: number): number | undefined {
  if (text === null) return fallbackMs;
  if (text.length > DATE_CHARACTERS_MAX) return undefined;
  const timeMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  return Number.isNaN(new Date(timeMs).getTime()) ? undefined : timeMs;
}

/** What today's prices are asked of. */
interface Prices {
  readonly catalog: Catalog;
  readonly nowMs: number;
  /** Models that the router bills to its user. */
  readonly free: ReadonlySet<string>;
}

function record(month: UsageMonth, { startMs, endMs }: Range, prices: Prices): object {
  return {
    aggregation_timestamp: Math.floor(prices.nowMs / 1000),
    n_requests: month.requests,
    n_context_tokens_total: month.promptTokens,
    n_generated_tokens_total: month.completionTokens,
    total_tokens: month.promptTokens + month.completionTokens,
    total_cost: usd(month.costNanoUsd),
    period: { start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() },
    breakdown: month.models.map((line) => modelLine(line, prices)),
    apiKeyBreakdown: month.keys.map(keyLine),
  };
}

function modelLine(line: UsageLine, prices: Prices): object {
  const { id, name, requests, promptTokens, completionTokens, costNanoUsd } = line;
  return {
    model_id: id,
    model_name: name,
    n_requests: requests,
    n_context_tokens: promptTokens,
    n_generated_tokens: completionTokens,
    cost: usd(costNanoUsd),
    ...(isUnpriced(line, prices) && { priced: false }),
  };
}

/** A line that cost nothing, of a model that is not known to be free: no price was known when it was called. */
function isUnpriced(
  { id, promptTokens, completionTokens, costNanoUsd }: UsageLine,
  { catalog, nowMs, free }: Prices,
): boolean {
  if (costNanoUsd > 0 || promptTokens + completionTokens === 0 || free.has(id)) return false;
  const rates = ratesOf(catalog.modelOf(id), nowMs);
  return rates === null || rates.inputUsdPerMillion + rates.outputUsdPerMillion > 0;
}

function keyLine({ name, requests, promptTokens, completionTokens, costNanoUsd }: UsageLine): object {
  return { keyName: name, requests, totalTokens: promptTokens + completionTokens, cost: usd(costNanoUsd) };
}

function slotOnly(request: ApiRequest): Reservation {
  const { id, caller, startedAtMs } = request;
  return {
    requestId: id,
    ...caller,
    endpoint: 'usage',
    month: monthOf(startedAtMs),
    startedAtMs,
    leaseUntilMs: startedAtMs,
    calls: null,
  };
}
