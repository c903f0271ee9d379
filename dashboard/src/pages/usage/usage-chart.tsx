import { useState } from 'react';
import { ChartBars } from './chart-bars';
import { ChartLegend } from './chart-legend';
import { ChartMonths } from './chart-months';
import { measureOf } from './measure';
import styles from './usage-chart.module.css';
import type { Month } from './usage-lines';
import { seriesOf } from './usage-series';
import type { UsageView } from './usage-view';
import { useWidth } from './use-width';

const HEIGHT_PX = 280;

interface UsageChartProps {
  readonly months: readonly Month[];
  readonly view: Pick<UsageView, 'per' | 'show' | 'by'>;
  /** The month that the tables are of; undefined: all. */
  readonly chosen: string | undefined;
  readonly onChoose: (month: string | undefined) => void;
}

/** Stacked bars, one a month or a day; the legend below tells the figures of the month that is pointed at. */
export default function UsageChart({ months, view, chosen, onChoose }: UsageChartProps) {
  const [box, width] = useWidth<HTMLDivElement>();
  const [pointedAt, pointAt] = useState<string>();
  const series = seriesOf(months, view);
  const measure = measureOf(view.show);
  const active = pointedAt ?? chosen;
  return (
    <figure
      className={styles.chart}
      aria-label={`${measure.label} by ${view.per === 'day' ? 'day' : `month and ${view.by}`}`}
    >
      <div ref={box} className={styles.plot} style={{ blockSize: HEIGHT_PX }}>
        {width > 0 && (
          <>
            <ChartBars months={months} series={series} measure={measure} size={{ width, height: HEIGHT_PX }} />
            <ChartMonths {...{ months, series, measure, chosen, width, onChoose }} onPoint={pointAt} />
          </>
        )}
      </div>
      <ChartLegend {...{ months, series, measure, active }} />
    </figure>
  );
}
