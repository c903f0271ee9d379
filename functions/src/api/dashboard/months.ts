import { isRefusal, type Refusal, refuse } from '../../errors';
import type { Reply } from '../../http/reply';
import type { AccountRequest, AccountRoute } from '../../http/route';
import { monthOf, monthStartMs, monthsBetween } from '../../ledger/month';
import type { UsageLine, UsageMonth } from '../../ledger/usage-store';
import { usd } from '../answer/reply-parts';
import { type Costless, costlessModels } from '../usage';
import type { AccountDeps } from './account-deps';

/** As many as `GET /v1/usage` sums. */
const MONTHS_MAX = 24;
const MONTHS_SHOWN = 6;
const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/** `GET /dashboard/usage`: each UTC month from `from` to `to` (`YYYY-MM`), by model and by key; months without use as well. */
export function monthsRoute(deps: AccountDeps): AccountRoute {
  return { method: 'GET', path: '/dashboard/usage', handle: (request) => months(deps, request) };
}

async function months(deps: AccountDeps, { userId, query, startedAtMs }: AccountRequest): Promise<Reply> {
  const asked = askedMonths(query, startedAtMs);
  if (isRefusal(asked)) return asked;
  const used = new Map((await deps.store.readMonths(userId, asked)).map((month) => [month.month, month]));
  const costless = await costlessModels(
    deps,
    userId,
    [...used.values()].flatMap(({ models }) => models),
  );
  const thisMonth = monthOf(startedAtMs);
  const body = asked.map((month) => monthBody(used.get(month) ?? { ...UNUSED, month }, { costless, thisMonth }));
  return { body: { months: body } };
}

const UNUSED = { requests: 0, promptTokens: 0, completionTokens: 0, costNanoUsd: 0, models: [], keys: [] };

/** The months that a request asks for, oldest first (`docs/api.md`, Dashboard). */
function askedMonths(query: URLSearchParams, nowMs: number): string[] | Refusal {
  const to = query.get('to') ?? monthOf(nowMs);
  if (!MONTH.test(to)) return refuse('invalid_request', 'Invalid to: must be a month such as 2026-01');
  const from = query.get('from') ?? monthOf(monthStartMs(Date.parse(to), 1 - MONTHS_SHOWN));
  if (!MONTH.test(from)) return refuse('invalid_request', 'Invalid from: must be a month such as 2026-01');
  if (from > to) return refuse('invalid_request', 'Invalid from: must not be after to');
  if (monthOf(monthStartMs(Date.parse(from), MONTHS_MAX)) <= to)
    return refuse('invalid_request', `Invalid from: at most ${MONTHS_MAX} months at a time`);
  return monthsBetween(Date.parse(from), Date.parse(to));
}

/** Why a line cost nothing, where that is not because it is free. */
interface CostlessBody {
  readonly priced?: false;
  readonly billedBy?: 'router';
  readonly costKnown?: false;
}

interface Told {
  readonly costless: Costless;
  readonly thisMonth: string;
}

function monthBody({ month, models, keys, ...sums }: UsageMonth, { costless, thisMonth }: Told): object {
  return {
    month,
    unfinished: month === thisMonth ? true : undefined,
    ...sumsBody(sums),
    models: models.map((line) => ({ ...lineBody(line), ...costlessBody(line, costless) })),
    keys: keys.map((line) => ({ ...lineBody(line), ...costlessKeyBody(line, models, costless) })),
  };
}

/** Only of lines without cost: in another month the model may have had a price. */
function costlessBody(line: UsageLine, { unpriced, router }: Costless): CostlessBody {
  if (!isCostless(line)) return {};
  if (unpriced.has(line.id)) return { priced: false };
  return router.has(line.id) ? { billedBy: 'router' } : {};
}

/**
 * Of a key that cost nothing: it can have used only those models of the month that cost nothing. Where these cost nothing
 * for one reason it is that of the key, too. Which of them it used is not kept, so else the reason is not known.
 */
function costlessKeyBody(key: UsageLine, models: readonly UsageLine[], costless: Costless): CostlessBody {
  if (!isCostless(key)) return {};
  const reasons = models.filter(isCostless).map((line) => costlessBody(line, costless));
  const [first = {}, ...others] = reasons;
  const isOne = others.every(({ priced, billedBy }) => priced === first.priced && billedBy === first.billedBy);
  return isOne ? first : { costKnown: false };
}

function isCostless({ costNanoUsd, promptTokens, completionTokens }: UsageLine): boolean {
  return costNanoUsd === 0 && promptTokens + completionTokens > 0;
}

function lineBody({ id, name, ...sums }: UsageLine): object {
  return { id, name, ...sumsBody(sums) };
}

function sumsBody(sums: Pick<UsageLine, 'requests' | 'promptTokens' | 'completionTokens' | 'costNanoUsd'>): object {
  const { requests, promptTokens, completionTokens, costNanoUsd } = sums;
  return { requests, promptTokens, completionTokens, costUsd: usd(costNanoUsd) };
}
