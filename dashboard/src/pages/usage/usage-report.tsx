import { useState } from 'react';
import { lazyPart } from '../../loading/lazy-part';
import { Panel } from '../../ui/page';
import { Skeleton } from '../../ui/skeleton';
import { lengthOf, monthAfter, monthAt, rangeEndingWith } from './month-range';
import { MonthsTable } from './months-table';
import { NoUsage } from './no-usage';
import { UsageFigures } from './usage-figures';
import { addUpMonths, type Month } from './usage-lines';
import { UsageNotes } from './usage-notes';
import { UsageTable } from './usage-table';
import { UsageToolbar } from './usage-toolbar';
import type { UsageView } from './usage-view';

const UsageChart = lazyPart(() => import('./usage-chart'), {
  waiting: <Skeleton label="Loading the chart" rows={1} rowHeight="320px" />,
});

interface UsageReportProps {
  /** The range, and where possible the month before it. */
  readonly months: readonly Month[];
  readonly view: UsageView;
  readonly onChange: (wanted: Partial<UsageView>) => void;
}

/** The usage of a range: figures, chart and tables. */
export function UsageReport({ months: read, view, onChange }: UsageReportProps) {
  const [chosen, choose] = useState<string>();
  const months = view.range ? read.filter(({ month }) => month >= (view.range?.from ?? '')) : read;
  const last = months.at(-1);
  if (!last) return null;
  const thisMonth = read.find(({ unfinished }) => unfinished)?.month ?? monthAt(Date.now());
  const range = view.range ?? { from: months[0]?.month ?? last.month, to: last.month };
  const one = months.find(({ month }) => month === chosen);
  const shown = one ?? last;
  const before = read.find(({ month }) => month === monthAfter(shown.month, -1));
  const isEmpty = addUpMonths(months).requests === 0;
  const usual = rangeEndingWith(thisMonth, lengthOf(range));
  return (
    <>
      <UsageFigures month={shown} before={before} />
      <Panel>
        <UsageToolbar months={months} view={{ ...view, range }} thisMonth={thisMonth} onChange={onChange} />
        {isEmpty ? (
          <NoUsage onLatest={range.to < usual.to ? () => onChange({ range: undefined }) : undefined} />
        ) : (
          <UsageChart months={months} view={view} chosen={one?.month} onChoose={choose} />
        )}
        <UsageNotes months={months} by={view.by} />
      </Panel>
      {!isEmpty && (
        <>
          <UsageTable months={one ? [one] : months} by={view.by} show={view.show} onWhole={() => choose(undefined)} />
          <MonthsTable months={months} />
        </>
      )}
    </>
  );
}
