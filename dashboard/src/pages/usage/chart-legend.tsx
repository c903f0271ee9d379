import { placeOf } from './chart-bars';
import type { measureOf } from './measure';
import { monthWords } from './month-words';
import { SeriesSwatch } from './series-pattern';
import styles from './usage-chart.module.css';
import type { Month } from './usage-lines';
import type { Series } from './usage-series';

interface ChartLegendProps {
  readonly months: readonly Month[];
  readonly series: readonly Series[];
  readonly measure: ReturnType<typeof measureOf>;
  /** Undefined: the sums of all months. */
  readonly active: string | undefined;
}

/** The paint of each series, and its total. */
export function ChartLegend({ months, series, measure, active }: ChartLegendProps) {
  const index = months.findIndex(({ month }) => month === active);
  const month = months[index];
  const bars = (months[0]?.month ?? '').length > 'YYYY-MM'.length ? 'days' : 'months';
  const shownOf = ({ values, total }: Series): number => (month ? (values[index] ?? 0) : total);
  return (
    <figcaption className={styles.legend}>
      <p className={styles.legendHead}>
        {month ? monthWords(month.month) : `All ${months.length} ${bars}`}
        {month?.unfinished && ', so far'}
      </p>
      {series.length === 0 && (
        <p>
          There is no known {measure.label.toLowerCase()} in these {bars}.
        </p>
      )}
      <ul>
        {series.map((each, place) => (
          <li key={each.id}>
            <SeriesSwatch place={placeOf(each, place)} />
            <span className={styles.legendName} title={each.name}>
              {each.name}
            </span>
            <span className={styles.legendValue}>{measure.format(shownOf(each))}</span>
          </li>
        ))}
      </ul>
    </figcaption>
  );
}
