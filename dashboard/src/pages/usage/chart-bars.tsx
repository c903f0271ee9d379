import { AxisBottom, AxisLeft } from '@visx/axis';
import { scaleBand, scaleLinear, scaleOrdinal } from '@visx/scale';
import { BarStack } from '@visx/shape';
import { useId } from 'react';
import { MARGINS } from './chart-size';
import type { measureOf } from './measure';
import { monthWords } from './month-words';
import { paintOf, SeriesPatterns } from './series-pattern';
import styles from './usage-chart.module.css';
import type { Month } from './usage-lines';
import { OTHER_ID, type Series } from './usage-series';

const TICKS = 4;
const PADDING = 0.3;
const LABEL_PX = 36;
const LONG_LABEL_PX = 64;
const OTHER_PLACE = 7;

interface ChartBarsProps {
  readonly months: readonly Month[];
  readonly series: readonly Series[];
  readonly measure: ReturnType<typeof measureOf>;
  readonly size: { readonly width: number; readonly height: number };
}

/** The place in the order of colours of a series: “Other” has one of its own. */
export function placeOf({ id }: Series, index: number): number {
  return id === OTHER_ID ? OTHER_PLACE : index;
}

/** The bars and their axes; what they say, the months' buttons and the tables say as text. */
export function ChartBars({ months, series, measure, size }: ChartBarsProps) {
  const prefix = useId();
  const totals = months.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const x = scaleBand({
    domain: months.map(({ month }) => month),
    range: [MARGINS.start, size.width - MARGINS.end],
    paddingInner: PADDING,
    paddingOuter: PADDING / 2,
  });
  const y = scaleLinear({
    domain: [0, Math.max(...totals) || 1],
    range: [size.height - MARGINS.bottom, MARGINS.top],
    nice: TICKS,
  });
  const paints = scaleOrdinal({
    domain: series.map(({ id }) => id),
    range: series.map((each, index) => paintOf(prefix, placeOf(each, index))),
  });
  const rows = months.map(({ month }, index) => ({ month, index }));
  const shownOf = ({ index }: { index: number }, id: string): number =>
    series.find((each) => each.id === id)?.values[index] ?? 0;
  return (
    <svg width={size.width} height={size.height} aria-hidden="true" className={styles.bars}>
      <SeriesPatterns prefix={prefix} />
      <AxisLeft
        scale={y}
        left={MARGINS.start}
        tickValues={y.ticks(TICKS).filter((tick) => measure.id === 'cost' || Number.isInteger(tick))}
        tickFormat={(tick) => measure.short(Number(tick))}
        tickLength={MARGINS.start + MARGINS.end - size.width}
        tickLabelProps={{ dx: MARGINS.start + MARGINS.end - size.width - LABEL_GAP_PX, className: styles.tick }}
        hideAxisLine
        tickClassName={styles.line}
      />
      <BarStack
        data={rows}
        keys={series.map(({ id }) => id)}
        x={({ month }) => month}
        value={shownOf}
        xScale={x}
        yScale={y}
        color={paints}
      >
        {(stacks) =>
          stacks.flatMap(({ key, bars }) =>
            bars.map((bar) => (
              <rect
                key={`${key} ${bar.bar.data.month}`}
                data-series={key}
                data-month={bar.bar.data.month}
                x={bar.x}
                y={bar.y}
                width={bar.width}
                height={Math.max(0, bar.height)}
                fill={bar.color}
              />
            )),
          )
        }
      </BarStack>
      {months.map(({ month, unfinished }, index) => {
        const top = y(totals[index] ?? 0);
        const left = x(month) ?? 0;
        return (
          unfinished && (
            <g key={month} data-unfinished={month}>
              <rect
                x={left}
                y={top}
                width={x.bandwidth()}
                height={size.height - MARGINS.bottom - top}
                fill={`url(#${prefix}-unfinished)`}
              />
              <text x={left + x.bandwidth() / 2} y={top - SO_FAR_GAP_PX} className={styles.soFar}>
                so far
              </text>
            </g>
          )
        );
      })}
      <AxisBottom
        scale={x}
        top={size.height - MARGINS.bottom}
        tickValues={labelled(months, x.step())}
        tickFormat={(month) => labelOf(month, x.step())}
        tickLabelProps={{ className: styles.tick, textAnchor: 'middle' }}
        hideTicks
        axisClassName={styles.axis}
      />
    </svg>
  );
}

const LABEL_GAP_PX = 8;
const SO_FAR_GAP_PX = 6;

/** As many months as there is room to name, the last one among them. */
function labelled(months: readonly Month[], stepPx: number): string[] {
  const every = Math.max(1, Math.ceil(LABEL_PX / stepPx));
  return months.map(({ month }) => month).filter((_, index) => (months.length - 1 - index) % every === 0);
}

function labelOf(month: string, stepPx: number): string {
  return monthWords(month, stepPx >= LONG_LABEL_PX ? 'short' : 'narrow');
}
