import { MEASURES, type MeasureId } from './measure';
import { type MonthRange, parseRange } from './month-range';

/** The division of the bars. */
export type Division = 'model' | 'key';

/** The pieces that the usage is shown in. */
export const PERIODS = [
  { id: 'month', label: 'By month' },
  { id: 'day', label: 'By day' },
  { id: 'request', label: 'By request' },
] as const;

/** The shown part of the usage, as the address of the page says it. */
export interface UsageView {
  readonly per: (typeof PERIODS)[number]['id'];
  /** Undefined: the last six months, or the days of the last. */
  readonly range: MonthRange | undefined;
  readonly show: MeasureId;
  readonly by: Division;
  /** The key whose requests are shown, by the id that usage counts it under; undefined: all. */
  readonly key: string | undefined;
  /** The address names a range that cannot be shown. */
  readonly isRangeRefused: boolean;
}

/** The view that an address names; what it does not name, or names wrongly, is as usual. */
export function viewOf(search: URLSearchParams): UsageView {
  const [from, to] = [search.get('from'), search.get('to')];
  const range = parseRange(from, to);
  return {
    per: PERIODS.find(({ id }) => id === search.get('per'))?.id ?? 'month',
    range,
    show: MEASURES.find(({ id }) => id === search.get('show'))?.id ?? 'cost',
    by: search.get('by') === 'key' ? 'key' : 'model',
    key: search.get('key') ?? undefined,
    isRangeRefused: range === undefined && (from !== null || to !== null),
  };
}

/** The address of a view; what is as usual is left out. */
export function searchOf({ per, range, show, by, key }: Omit<UsageView, 'isRangeRefused'>): URLSearchParams {
  return new URLSearchParams({
    ...(per !== 'month' && { per }),
    ...(range && { from: range.from, to: range.to }),
    ...(show !== 'cost' && { show }),
    ...(by !== 'model' && { by }),
    ...(key !== undefined && { key }),
  });
}
