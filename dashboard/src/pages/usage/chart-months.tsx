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
  /** The width of the plot. */
  readonly width: number;
  readonly onChoose: (month: string | undefined) => void;
  /** The month under the pointer or in focus. */
  readonly onPoint: (month: string | undefined) => void;
}

/** The width that a finger can hit. */
const TARGET_PX = 24;

/**
 * A button over each bar: arrow keys move by month, pressing shows the tables of that month alone. Where bars are too narrow
 * to be buttons they are told by the legend when the pointer is over them; the table has them all as text.
 */
export function ChartMonths({ months, series, measure, chosen, width, onChoose, onPoint }: ChartMonthsProps) {
  const place = { insetInlineStart: MARGINS.start, insetInlineEnd: MARGINS.end };
  if ((width - MARGINS.start - MARGINS.end) / months.length < TARGET_PX)
    return (
      <div aria-hidden="true" className={styles.months} style={place} onPointerLeave={() => onPoint(undefined)}>
        {months.map(({ month }) => (
          <div key={month} className={styles.month} onPointerEnter={() => onPoint(month)} />
        ))}
      </div>
    );
  return (
    <ToggleButtonGroup
      aria-label="Bar"
      selectedKeys={chosen === undefined ? [] : [chosen]}
      onSelectionChange={(keys) => onChoose(months.find(({ month }) => keys.has(month))?.month)}
      className={styles.months ?? ''}
      style={place}
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
