import { Panel } from '../../ui/page';
import { monthWords } from './month-words';
import { type Column, SortedTable } from './sorted-table';
import { sumsColumns } from './usage-columns';
import { gapIn, type Month } from './usage-lines';

const COLUMNS: readonly Column<Month>[] = [
  {
    id: 'month',
    label: 'Month',
    of: ({ month }) => month,
    cell: ({ month, unfinished }) => `${monthWords(month)}${unfinished ? ', so far' : ''}`,
  },
  ...sumsColumns<Month>(gapIn),
];

/** The sum of each month, the newest first. */
export function MonthsTable({ months }: { readonly months: readonly Month[] }) {
  return (
    <Panel>
      <SortedTable
        caption="Months (UTC)"
        columns={COLUMNS}
        rows={months}
        idOf={({ month }) => month}
        sortedBy="month"
      />
    </Panel>
  );
}
