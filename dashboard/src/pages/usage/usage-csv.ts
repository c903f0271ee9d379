import { csvOf } from '../../ui/csv';
import { GAP_WORDS } from './cost-words';
import { gapIn, linesOf, type Month } from './usage-lines';
import type { Division } from './usage-view';

const HEAD = ['requests', 'prompt_tokens', 'completion_tokens', 'cost_usd', 'note'];
const NANO_DIGITS = 9;

/** Each month's lines as CSV; the cost of what is not priced is an empty cell, with a note. */
export function usageCsv(months: readonly Month[], by: Division): string {
  const rows = months.flatMap((month) =>
    linesOf(month, by).map(({ id, name, requests, promptTokens, completionTokens, costUsd, gap }) => [
      ...[month.month, id, name, requests, promptTokens, completionTokens],
      ...[
        gap ? '' : decimalOf(costUsd),
        [month.unfinished && 'so far', gap && GAP_WORDS[gap]].filter(Boolean).join(', '),
      ],
    ]),
  );
  return csvOf([['month_utc', `${by}_id`, `${by}_name`, ...HEAD], ...rows]);
}

/** The sums of each day as CSV. */
export function daysCsv(days: readonly Month[]): string {
  const rows = days.map((day) => {
    const { month, requests, promptTokens, completionTokens, costUsd } = day;
    const gap = gapIn(day);
    return [month, requests, promptTokens, completionTokens, gap ? '' : decimalOf(costUsd), gap ? GAP_WORDS[gap] : ''];
  });
  return csvOf([['day_utc', ...HEAD], ...rows]);
}

/** Without an exponent, which spreadsheets round. */
export function decimalOf(value: number): string {
  return value.toFixed(NANO_DIGITS).replace(/\.?0+$/, '');
}
