import { count, shortCount, usd, usdOnAxis } from '../../ui/format-number';

/** The counts of a month, a model or a key. */
export interface Sums {
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costUsd: number;
}

/** The measures that the chart can show. */
export type MeasureId = 'cost' | 'tokens' | 'requests';

interface Measure {
  readonly id: MeasureId;
  readonly label: string;
  readonly of: (sums: Sums) => number;
  /** In full. */
  readonly format: (value: number) => string;
  /** For an axis whose marks are `step` apart. */
  readonly short: (value: number, step: number) => string;
}

/** Every measure, in the order of the switch. */
export const MEASURES: readonly Measure[] = [
  { id: 'cost', label: 'Cost', of: ({ costUsd }) => costUsd, format: (value) => usd(value), short: axisUsd },
  {
    id: 'tokens',
    label: 'Tokens',
    of: ({ promptTokens, completionTokens }) => promptTokens + completionTokens,
    format: (value) => count(value),
    short: (value) => shortCount(value),
  },
  {
    id: 'requests',
    label: 'Requests',
    of: ({ requests }) => requests,
    format: (value) => count(value),
    short: (value) => shortCount(value),
  },
];

/** The measure with this id. */
export function measureOf(id: MeasureId): Measure {
  const [first] = MEASURES;
  const found = MEASURES.find((measure) => measure.id === id) ?? first;
  if (!found) throw new Error('There are no measures');
  return found;
}

function axisUsd(value: number, step: number): string {
  return value >= 1000 ? `$${shortCount(value)}` : usdOnAxis(value, step);
}
