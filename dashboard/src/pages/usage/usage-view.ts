import { MEASURES, type MeasureId } from './measure';
import { type MonthRange, parseRange } from './month-range';

/** The division of the bars. */
export type Division = 'model' | 'key';

/** The shown part of the usage, as the address of the page says it. */
export interface UsageView {
  /** Undefined: the last six months. */
  readonly range: MonthRange | undefined;
  readonly show: MeasureId;
  readonly by: Division;
  /** The address names a range that cannot be shown. */
  readonly isRangeRefused: boolean;
}

/** The view that an address names; what it does not name, or names wrongly, is as usual. */
export function viewOf(search: URLSearchParams): UsageView {
  const [from, to] = [search.get('from'), search.get('to')];
  const range = parseRange(from, to);
  return {
    range,
    show: MEASURES.find(({ id }) => id === search.get('show'))?.id ?? 'cost',
    by: search.get('by') === 'key' ? 'key' : 'model',
    isRangeRefused: range === undefined && (from !== null || to !== null),
  };
}

/** The address of a view; what is as usual is left out. */
export function searchOf({ range, show, by }: Omit<UsageView, 'isRangeRefused'>): URLSearchParams {
  return new URLSearchParams({
    ...(range && { from: range.from, to: range.to }),
    ...(show !== 'cost' && { show }),
    ...(by !== 'model' && { by }),
  });
}
