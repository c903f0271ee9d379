import { count } from '../../ui/format-number';
import { costWords } from './cost-words';
import type { Sums } from './measure';
import type { Column } from './sorted-table';
import type { CostGap } from './usage-lines';

/** The columns of sums, as the chart shows them and as the API reports them; of a model its calls are counted. */
export function sumsColumns<Row extends Sums>(
  gapOf: (row: Row) => CostGap | undefined,
  counts: 'Requests' | 'Calls' = 'Requests',
): Column<Row>[] {
  const counted = (id: 'requests' | 'promptTokens' | 'completionTokens', label: string): Column<Row> => ({
    id,
    label,
    of: (row) => row[id],
    cell: (row) => count(row[id]),
  });
  return [
    counted('requests', counts),
    counted('promptTokens', 'Prompt tokens'),
    counted('completionTokens', 'Completion tokens'),
    {
      id: 'cost',
      label: 'Cost',
      of: ({ costUsd }) => costUsd,
      cell: (row) => costWords({ costUsd: row.costUsd, gap: gapOf(row) }),
    },
  ];
}
