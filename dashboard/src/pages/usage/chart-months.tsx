import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { MARGINS } from './chart-size';
import { GAP_WORDS } from './cost-words';
import type { measureOf } from './measure';
import { monthWords } from './month-words';
import styles from './usage-chart.module.css';
import { gapIn, type Month } from './usage-lines';
import type { Series } from './usage-series';

interface ChartMonthsProps {
  readonly months: readonly Month[];
  readonly series: readonly Series[];
  readonly measure: ReturnType<typeof measureOf>;
  readonly chosen: string | undefined;
  readonly onChoose: (month: string | undefined) => void;
  /** The month under the pointer or in focus. */
  readonly onPoint: (month: string | undefined) => void;
}

/** A button over each bar: arrow keys move by month, pressing shows the tables of that month alone. */
export function ChartMonths({ months, series, measure, chosen, onChoose, onPoint }: ChartMonthsProps) {
  return (
    <ToggleButtonGroup
      aria-label="Month"
      selectedKeys={chosen === undefined ? [] : [chosen]}
      onSelectionChange={(keys) => onChoose(months.find(({ month }) => keys.has(month))?.month)}
      className={styles.months ?? ''}
      style={{ insetInlineStart: MARGINS.start, insetInlineEnd: MARGINS.end }}
    >
      {months.map((month, index) => (
        <ToggleButton
          key={month.month}
          id={month.month}
          aria-label={wordsOf(month, { series, measure, index })}
          className={styles.month ?? ''}
          onHoverChange={(isOver) => onPoint(isOver ? month.month : undefined)}
          onFocusChange={(isIn) => onPoint(isIn ? month.month : undefined)}
        />
      ))}
    </ToggleButtonGroup>
  );
}

interface Told extends Pick<ChartMonthsProps, 'series' | 'measure'> {
  readonly index: number;
}

function wordsOf(month: Month, { series, measure, index }: Told): string {
  const parts = series.filter(({ values }) => (values[index] ?? 0) > 0);
  const gap = measure.id === 'cost' ? gapIn(month) : undefined;
  return [
    `${monthWords(month.month)}${month.unfinished ? ', so far' : ''}: ${measure.label} ${measure.format(measure.of(month))}`,
    ...parts.map(({ name, values }) => `${name} ${measure.format(values[index] ?? 0)}`),
    ...(gap ? [`some ${GAP_WORDS[gap]}`] : []),
  ].join('; ');
}
