import { type MeasureId, measureOf } from './measure';
import { addUpLines, linesOf, type Month } from './usage-lines';
import type { Division } from './usage-view';

/** Shown by themselves; what is left is one series. */
const SERIES_MAX = 7;

/** The id of the series of all that is not among the largest; ids of models and keys are never empty. */
export const OTHER_ID = '';

/** One colour of the bars. */
export interface Series {
  readonly id: string;
  readonly name: string;
  /** One for each month. */
  readonly values: readonly number[];
  readonly total: number;
}

/** The largest seven models or keys by what is shown, largest first, and the rest as “Other”; nothing that is all zeros. */
export function seriesOf(
  months: readonly Month[],
  { show, by }: { readonly show: MeasureId; readonly by: Division },
): Series[] {
  const { of } = measureOf(show);
  const ranked = addUpLines(months, by)
    .filter((line) => of(line) > 0)
    .sort((a, b) => of(b) - of(a) || (a.id < b.id ? -1 : 1));
  const own = ranked.slice(0, SERIES_MAX).map(({ id, name }) => ({ id, name, ids: new Set([id]) }));
  const rest = ranked.slice(SERIES_MAX);
  const other = { id: OTHER_ID, name: `Other (${rest.length})`, ids: new Set(rest.map(({ id }) => id)) };
  return [...own, ...(rest.length > 0 ? [other] : [])].map(({ id, name, ids }) => {
    const values = months.map((month) =>
      sum(
        linesOf(month, by)
          .filter((line) => ids.has(line.id))
          .map(of),
      ),
    );
    return { id, name, values, total: sum(values) };
  });
}

/** The series on top of each other, the first at the foot: where each begins and ends in every month. */
export function stacked(series: readonly Series[]) {
  const tops: number[] = [];
  return series.map(({ id, values }) => ({
    id,
    spans: values.map((value, index) => {
      const from = tops[index] ?? 0;
      tops[index] = from + value;
      return { from, to: from + value };
    }),
  }));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
