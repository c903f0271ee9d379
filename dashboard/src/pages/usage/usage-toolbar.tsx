import { Button } from '../../ui/button';
import { saveFile } from '../../ui/save-file';
import { Segmented } from '../../ui/segmented';
import { MEASURES } from './measure';
import { lengthOf, type MonthRange, monthAfter, rangeEndingWith } from './month-range';
import { monthWords } from './month-words';
import styles from './usage.module.css';
import { daysCsv, usageCsv } from './usage-csv';
import type { Month } from './usage-lines';
import type { Division, UsageView } from './usage-view';

/** Lengths of the range, in months; the first is the usual one. */
const LENGTHS = {
  month: [
    { id: '6', label: '6 months' },
    { id: '12', label: '12' },
    { id: '24', label: '24' },
  ],
  day: [
    { id: '1', label: '1 month' },
    { id: '2', label: '2' },
    { id: '3', label: '3' },
  ],
} as const;
const DIVISIONS: readonly { readonly id: Division; readonly label: string }[] = [
  { id: 'model', label: 'By model' },
  { id: 'key', label: 'By key' },
];

interface UsageToolbarProps {
  readonly months: readonly Month[];
  readonly view: UsageView & { readonly range: MonthRange };
  readonly thisMonth: string;
  readonly onChange: (wanted: Partial<UsageView>) => void;
}

/** The months, or days, that are shown, their measure, and the file of it. */
export function UsageToolbar({ months, view, thisMonth, onChange }: UsageToolbarProps) {
  const { range, show, by } = view;
  const per = view.per === 'day' ? 'day' : 'month';
  const length = lengthOf(range);
  const setRange = (wanted: MonthRange): void => {
    const isUsual = wanted.to === thisMonth && String(lengthOf(wanted)) === LENGTHS[per][0].id;
    onChange({ range: isUsual ? undefined : wanted });
  };
  const moveTo = (to: string): void => setRange(rangeEndingWith(to, length));
  const later = monthAfter(range.to, length);
  return (
    <div className="row">
      <div className={`row ${styles.range}`}>
        <h2>{rangeWords(range)}</h2>
        <div className={styles.steps}>
          <Button kind="quiet" onPress={() => moveTo(monthAfter(range.from, -1))}>
            Earlier
          </Button>
          <Button
            kind="quiet"
            isDisabled={range.to >= thisMonth}
            onPress={() => moveTo(later > thisMonth ? thisMonth : later)}
          >
            Later
          </Button>
        </div>
      </div>
      <Segmented
        label="Months shown"
        options={LENGTHS[per]}
        value={String(length) as (typeof LENGTHS)['month'][number]['id']}
        onChange={(months) => setRange(rangeEndingWith(thisMonth, Number(months)))}
      />
      <Segmented label="What is shown" options={MEASURES} value={show} onChange={(id) => onChange({ show: id })} />
      {per === 'month' && (
        <Segmented label="Divided" options={DIVISIONS} value={by} onChange={(id) => onChange({ by: id })} />
      )}
      <Button
        icon="download"
        onPress={() =>
          saveFile({
            name: `usage-${range.from}-${range.to}-by-${per === 'day' ? per : by}.csv`,
            type: 'text/csv;charset=utf-8',
            text: per === 'day' ? daysCsv(months) : usageCsv(months, by),
          })
        }
      >
        CSV
      </Button>
    </div>
  );
}

function rangeWords({ from, to }: MonthRange): string {
  return from === to ? monthWords(to) : `${monthWords(from, 'short')} – ${monthWords(to, 'short')}`;
}
