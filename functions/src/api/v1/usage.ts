import * as z from 'zod';
import type { RouterModelStore } from '../../byok/byok-store';
import { isRefusal, type Refusal, refuse } from '../../errors';
import { addUp } from '../../ledger/consumption';
import { monthStartMs, monthsBetween } from '../../ledger/month';
import type { UsageLine, UsageStore } from '../../ledger/usage-store';
import { always, amount, count, list, named, type Sent, text } from '../../lib/reply-schemas';
import { usd } from '../../lib/usd';
import { ratesOf } from '../../models/prices';
import { reservationOf } from '../../runs/admit';
import type { EndpointDeps } from '../deps';
import { keyRoute } from '../shared/operation';
import { optional } from '../shared/schemas';

const MONTHS_MAX = 24;
/** No date worth parsing is longer. */
const DATE_CHARACTERS_MAX = 64;
const DAY_MS = 86_400_000;

type UsageDeps = Pick<EndpointDeps, 'clock' | 'catalog'> & {
  readonly store: Pick<UsageStore, 'readMonths'> & Pick<RouterModelStore, 'listRouterModels'>;
};

const UsageRecord = named('UsageRecord', () =>
  z.object({
    aggregation_timestamp: count('Now, Unix seconds.'),
    n_requests: count('Runs and evaluations that were admitted.'),
    n_context_tokens_total: count('Prompt tokens.'),
    n_generated_tokens_total: count('Completion tokens.'),
    total_tokens: count('The sum of both.'),
    total_cost: amount('In US dollars.'),
    period: z.object({ start: text('ISO 8601, UTC.'), end: text('ISO 8601, UTC.') }).describe('The range asked for.'),
    months: list(text('`YYYY-MM`.'), 'The UTC months that were added up, each of them whole, oldest first.'),
    breakdown: list(
      z.object({
        model_id: text('`other` for all models after the first 200 of a month.'),
        model_name: text('The display name.'),
        n_requests: count('Calls to it that consumed something.'),
        n_context_tokens: count('Prompt tokens.'),
        n_generated_tokens: count('Completion tokens.'),
        cost: amount('In US dollars.'),
        priced: always(false, 'No price was known for its calls.').optional(),
      }),
      'By model.',
    ),
    apiKeyBreakdown: list(
      z.object({
        keyName: text('The name of the key.'),
        requests: count('Requests with it.'),
        totalTokens: count('Prompt and completion tokens.'),
        cost: amount('In US dollars.'),
      }),
      'By key.',
    ),
  }),
);
const UsageList = named('UsageList', () =>
  z.object({
    object: always('list'),
    data: z.array(UsageRecord).max(1).describe('One, or none when nothing was used.'),
    has_more: z.literal(false),
  }),
);

const date = (fallback: string) =>
  optional(
    z.string().meta({ maxLength: DATE_CHARACTERS_MAX }),
    `Unix seconds, or a date such as 2026-01-31. Default: ${fallback}. The months that the range touches count whole.`,
  );

/** The months that a range touches, whole, in one record. Takes a rate slot; opens no ledger record. */
export const getUsage = keyRoute({
  at: 'GET /v1/usage',
  endpoint: 'usage',
  limited: true,
  id: 'getUsage',
  tag: 'Account',
  summary: "Report tokens and cost of the key's owner",
  query: z.object({ start_date: date('the start of the current UTC month'), end_date: date('now') }),
  reply: UsageList,
  run: async (deps, request, asked) => {
    const { caller, query, startedAtMs } = request;
    const range = refuseMisspelt(query) ?? parseRange(asked, startedAtMs);
    if (isRefusal(range)) return range;
    const admitted = await deps.guard.admit(caller, reservationOf(request, null));
    if (isRefusal(admitted)) return admitted;
    return { body: await usageBodyOf(deps, caller.userId, range), headers: admitted.headers };
  },
});

/** Body of the reply; the operator's command line shows it too. */
export async function usageBodyOf(
  deps: UsageDeps,
  userId: string,
  { startMs, endMs }: Range,
): Promise<Sent<typeof UsageList>> {
  const touched = monthsBetween(startMs, endMs);
  const months = await deps.store.readMonths(userId, touched);
  if (months.length === 0) return { object: 'list', data: [], has_more: false };
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
      priced: unpriced.has(line.id) ? (false as const) : undefined,
    })),
    apiKeyBreakdown: keys.map((line) => ({
      keyName: line.name,
      requests: line.requests,
      totalTokens: line.promptTokens + line.completionTokens,
      cost: usd(line.costNanoUsd),
    })),
  };
  return { object: 'list', data: [record], has_more: false };
}

/** Ids of models by the reason why they cost nothing; those that are known to be free are in neither. */
export interface Costless {
  /** No price was known when they were called. */
  readonly unpriced: ReadonlySet<string>;
  /** The user's own models of the router, which bills them; also those that were not used. */
  readonly router: ReadonlySet<string>;
}

/** Finds the reasons why some of these lines of models cost nothing. */
export async function costlessModels(
  { store, clock, catalog }: UsageDeps,
  userId: string,
  lines: readonly UsageLine[],
): Promise<Costless> {
  const ids = [...new Set(lines.filter(isCostless).map(({ id }) => id))];
  // Only an id with a slash can be one of the user's router models.
  const own = ids.some((id) => id.includes('/')) ? await store.listRouterModels(userId) : [];
  const router = new Set(own.map(({ slug }) => slug));
  const isFree = (id: string): boolean => {
    const rates = ratesOf(catalog.modelOf(id), clock.nowMs());
    return rates !== null && rates.inputUsdPerMillion + rates.outputUsdPerMillion === 0;
  };
  return { unpriced: new Set(ids.filter((id) => !router.has(id) && !isFree(id))), router };
}

export function isCostless({ costNanoUsd, promptTokens, completionTokens }: UsageLine): boolean {
  return costNanoUsd === 0 && promptTokens + completionTokens > 0;
}

/** A closed range of time, milliseconds. */
interface Range {
  readonly startMs: number;
  readonly endMs: number;
}

/** The range asked for (`docs/api.md`, Usage); defaults: the start of this UTC month, now. */
export function parseRange(
  { start_date, end_date }: { readonly start_date?: string | undefined; readonly end_date?: string | undefined },
  nowMs: number,
): Range | Refusal {
  const startMs = start_date === undefined ? monthStartMs(nowMs) : parseDate('start_date', start_date);
  if (isRefusal(startMs)) return startMs;
  const endMs = end_date === undefined ? nowMs : parseDate('end_date', end_date);
  if (isRefusal(endMs)) return endMs;
  if (startMs > endMs) return refuse('invalid_request', 'Invalid date range');
  const limit = new Date(startMs);
  limit.setUTCMonth(limit.getUTCMonth() + MONTHS_MAX);
  if (endMs > limit.getTime()) return refuse('invalid_request', `Date range must not exceed ${MONTHS_MAX} months`);
  return { startMs, endMs };
}

/** Names that other APIs, and people, give the parameters. */
const OTHER_NAME = /^(start|end)[_-]?(?:at|date|day|ms|time|timestamp)?$/i;

/** A report on another range than the one meant is worse than none. Other unknown parameters are ignored. */
function refuseMisspelt(query: URLSearchParams): Refusal | undefined {
  for (const name of query.keys()) {
    const [, meant] = OTHER_NAME.exec(name) ?? [];
    const known = `${meant?.toLowerCase()}_date`;
    if (meant !== undefined && name !== known) {
      return refuse('invalid_request', `Invalid parameter ${name}: the parameter is ${known}`);
    }
  }
  return undefined;
}

/** Seconds of this size lie 3,000 years ahead. */
const MILLISECONDS = /^\d{12,14}$/;

/** Unix seconds when all digits, else anything a JavaScript `Date` can parse. */
function parseDate(name: string, sent: string): number | Refusal {
  const text = sent.slice(0, DATE_CHARACTERS_MAX + 1);
  const timeMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  const invalid = (flaw: string): Refusal => refuse('invalid_request', `Invalid date format: ${name} ${flaw}`);
  if (MILLISECONDS.test(text)) return invalid('is in milliseconds: Unix seconds are expected');
  if (text.length > DATE_CHARACTERS_MAX || Number.isNaN(new Date(timeMs).getTime())) {
    // A `+` that was not escaped arrives as a blank.
    return invalid('must be Unix seconds or a date such as 2026-01-31 or 2026-01-31T12:00:00%2B01:00');
  }
  return isNoDay(text, timeMs) ? invalid('is a day that its month does not have') : timeMs;
}

/** JavaScript reads 30 February as 2 March, in every notation. */
function isNoDay(text: string, timeMs: number): boolean {
  return [...text.matchAll(/(?<!\d)(?:29|30|31)(?!\d)/g)].some(({ 0: day, index }) => {
    const inMonth = new Date(Date.parse(`${text.slice(0, index)}15${text.slice(index + day.length)}`));
    const lastDay = new Date(Date.UTC(inMonth.getUTCFullYear(), inMonth.getUTCMonth() + 1, 0)).getUTCDate();
    const isDay = Math.round((timeMs - inMonth.getTime()) / DAY_MS) === Number(day) - 15;
    return isDay && Number(day) > lastDay;
  });
}
