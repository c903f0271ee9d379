import { Panel } from '../../ui/page';
import { monthWords } from './month-words';
import { SortedTable } from './sorted-table';
import { sumsColumns } from './usage-columns';
import { gapIn, type Month } from './usage-lines';

/** The sum of each month, or of each day, the newest first. */
export function PeriodTable({ label, rows }: { readonly label: 'Month' | 'Day'; readonly rows: readonly Month[] }) {
  const naming = {
    id: 'month',
    label,
    of: ({ month }: Month) => month,
    cell: ({ month, unfinished }: Month) => `${monthWords(month)}${unfinished ? ', so far' : ''}`,
  };
  return (
    <Panel>
      <SortedTable
        caption={`${label}s (UTC)`}
        columns={[naming, ...sumsColumns<Month>(gapIn)]}
        rows={label === 'Day' ? rows.filter(({ requests }) => requests > 0) : rows}
        idOf={({ month }) => month}
        sortedBy="month"
      />
    </Panel>
  );
}
