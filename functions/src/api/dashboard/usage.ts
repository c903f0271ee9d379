import * as z from 'zod';
import { isRefusal, type Refusal, refuse } from '../../errors';
import { monthOf, monthStartMs, monthsBetween } from '../../ledger/month';
import type { Consumption, UsageLine, UsageMonth } from '../../ledger/usage-store';
import { always, amount, count, list, named, type Sent, text } from '../../lib/reply-schemas';
import { usd } from '../../lib/usd';
import { accountRoute } from '../shared/operation';
import { optional } from '../shared/schemas';
import { type Costless, costlessModels, isCostless } from '../v1/usage';

const MONTHS_MAX = 24;
const MONTHS_SHOWN = 6;
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

const sums = () => ({
  requests: count('Of a model: calls that consumed something.'),
  promptTokens: count('Prompt tokens.'),
  completionTokens: count('Completion tokens.'),
  costUsd: amount('In US dollars.'),
});
const line = () => ({
  id: text('The id.'),
  name: text('The display name.'),
  ...sums(),
  priced: always(false, 'No price was known for its calls.').optional(),
  billedBy: always('router', 'Its cost is not known here, for the model router bills it.').optional(),
});
const Month = named('Month', () =>
  z.object({
    month: text('UTC, `YYYY-MM`.'),
    unfinished: always(true, 'It is this month.').optional(),
    ...sums(),
    models: list(z.object(line()), 'By model.'),
    keys: list(
      z.object({
        ...line(),
        costKnown: always(
          false,
          'It cost nothing; the month has several reasons for that, and which of them is that of the key is not kept.',
        ).optional(),
      }),
      'By key; keys that rotations made of one are one line, under the id of the first.',
    ),
    days: list(
      z.object({ day: text('UTC, `YYYY-MM-DD`.'), ...sums() }),
      'By day, oldest first: those with use, as far as days were kept.',
    ),
  }),
);
const MonthList = named('MonthList', () =>
  z.object({ months: list(Month, 'Oldest first, months without use as well.') }),
);

const month = (fallback: string) =>
  optional(
    z.string().regex(MONTH, 'must be a month such as 2026-01'),
    `A UTC month such as 2026-01. Default: ${fallback}.`,
  );

export const listMonths = accountRoute({
  at: 'GET /dashboard/usage',
  id: 'listMonths',
  summary: 'Report tokens and cost of up to 24 months, each by model and by key',
  query: z.object({ from: month('five months before `to`'), to: month('this month') }),
  reply: MonthList,
  run: async (deps, { userId, startedAtMs }, range) => {
    const asked = askedMonths(range, startedAtMs);
    if (isRefusal(asked)) return asked;
    const used = new Map((await deps.store.readMonths(userId, asked)).map((found) => [found.month, found]));
    const lines = [...used.values()].flatMap(({ models }) => models);
    const costless = await costlessModels(deps, userId, lines);
    const thisMonth = monthOf(startedAtMs);
    const months = asked.map((name) => ({
      ...monthBody(used.get(name) ?? { ...UNUSED, month: name }, costless),
      unfinished: name === thisMonth ? (true as const) : undefined,
    }));
    return { body: { months } };
  },
});

const UNUSED = { requests: 0, promptTokens: 0, completionTokens: 0, costNanoUsd: 0, models: [], keys: [], days: [] };

/** The months that a request asks for, oldest first (`docs/api.md`, Dashboard). */
function askedMonths(
  range: { readonly from?: string | undefined; readonly to?: string | undefined },
  nowMs: number,
): string[] | Refusal {
  const to = range.to ?? monthOf(nowMs);
  const from = range.from ?? monthOf(monthStartMs(Date.parse(to), 1 - MONTHS_SHOWN));
  if (from > to) return refuse('invalid_request', 'Invalid from: must not be after to');
  if (monthOf(monthStartMs(Date.parse(from), MONTHS_MAX)) <= to)
    return refuse('invalid_request', `Invalid from: at most ${MONTHS_MAX} months at a time`);
  return monthsBetween(Date.parse(from), Date.parse(to));
}

/** Reason why a line cost nothing, where that is not because it is free. */
type CostlessBody = Pick<Sent<typeof Month>['keys'][number], 'priced' | 'billedBy' | 'costKnown'>;

function monthBody({ month, models, keys, days, ...sums }: UsageMonth, costless: Costless): Sent<typeof Month> {
  return {
    month,
    ...sumsBody(sums),
    models: models.map((model) => ({ ...lineBody(model), ...costlessBody(model, costless) })),
    keys: keys.map((key) => ({ ...lineBody(key), ...costlessKeyBody(key, models, costless) })),
    days: days.map(({ id: day, ...counts }) => ({ day, ...sumsBody(counts) })),
  };
}

/** Only of lines without cost: in another month the model may have had a price. */
function costlessBody(line: UsageLine, { unpriced, router }: Costless): Omit<CostlessBody, 'costKnown'> {
  if (!isCostless(line)) return {};
  if (unpriced.has(line.id)) return { priced: false };
  return router.has(line.id) ? { billedBy: 'router' } : {};
}

/** Line of a key that cost nothing: it can have used only those models of the month that cost nothing. */
function costlessKeyBody(key: UsageLine, models: readonly UsageLine[], costless: Costless): CostlessBody {
  if (!isCostless(key)) return {};
  const [first = {}, ...others] = models.filter(isCostless).map((line) => costlessBody(line, costless));
  const isOne = others.every(({ priced, billedBy }) => priced === first.priced && billedBy === first.billedBy);
  return isOne ? first : { costKnown: false };
}

function lineBody({ id, name, ...consumed }: UsageLine) {
  return { id, name, ...sumsBody(consumed) };
}

function sumsBody({ requests, promptTokens, completionTokens, costNanoUsd }: Consumption) {
  return { requests, promptTokens, completionTokens, costUsd: usd(costNanoUsd) };
}
