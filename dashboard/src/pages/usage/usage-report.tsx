import { useState } from 'react';
import { lazyPart } from '../../loading/lazy-part';
import { Panel } from '../../ui/page';
import { Skeleton } from '../../ui/skeleton';
import { lengthOf, monthAfter, monthAt, rangeEndingWith } from './month-range';
import { NoUsage } from './no-usage';
import { PeriodTable } from './period-table';
import { daysOf, UndatedUsage } from './usage-days';
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
  const isByDay = view.per === 'day';
  const months = monthsIn(read, view);
  const bars = isByDay ? daysOf(months) : months;
  const last = months.at(-1);
  if (!last) return null;
  const thisMonth = read.find(({ unfinished }) => unfinished)?.month ?? monthAt(Date.now());
  const range = view.range ?? { from: months[0]?.month ?? last.month, to: last.month };
  const one = bars.find(({ month }) => month === chosen);
  const shown = (!isByDay && one) || last;
  const before = read.find(({ month }) => month === monthAfter(shown.month, -1));
  const isEmpty = addUpMonths(months).requests === 0;
  const usual = rangeEndingWith(thisMonth, lengthOf(range));
  return (
    <>
      <UsageFigures month={shown} before={before} />
      <Panel>
        <UsageToolbar months={bars} view={{ ...view, range }} thisMonth={thisMonth} onChange={onChange} />
        {isEmpty ? (
          <NoUsage onLatest={range.to < usual.to ? () => onChange({ range: undefined }) : undefined} />
        ) : (
          <UsageChart months={bars} view={view} chosen={one?.month} onChoose={choose} />
        )}
        <UsageNotes months={months} by={view.by} />
        {isByDay && <UndatedUsage months={months} />}
      </Panel>
      {!isEmpty && !isByDay && (
        <UsageTable months={one ? [one] : months} by={view.by} show={view.show} onWhole={() => choose(undefined)} />
      )}
      {!isEmpty && <PeriodTable label={isByDay ? 'Day' : 'Month'} rows={bars} />}
    </>
  );
}

/** The months of the range; without one those that were read, or by day the last of them. */
function monthsIn(read: readonly Month[], { range, per }: UsageView): readonly Month[] {
  if (range) return read.filter(({ month }) => month >= range.from);
  return per === 'day' ? read.slice(-1) : read;
}
