import { scaleBand, scaleLinear } from '@visx/scale';
import { useId } from 'react';
import { MARGINS } from './chart-size';
import type { measureOf } from './measure';
import { monthWords } from './month-words';
import { paintOf, SeriesPatterns } from './series-pattern';
import styles from './usage-chart.module.css';
import type { Month } from './usage-lines';
import { OTHER_ID, type Series, stacked } from './usage-series';

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
  const ticks = y.ticks(TICKS).filter((tick) => measure.id === 'cost' || Number.isInteger(tick));
  const step = (ticks[1] ?? 1) - (ticks[0] ?? 0);
  const paints = series.map((each, index) => paintOf(prefix, placeOf(each, index)));
  return (
    <svg width={size.width} height={size.height} aria-hidden="true" className={styles.bars}>
      <SeriesPatterns prefix={prefix} />
      {ticks.map((tick) => (
        <g key={tick} className={styles.level}>
          <line x1={MARGINS.start} x2={size.width - MARGINS.end} y1={y(tick)} y2={y(tick)} />
          <text x={MARGINS.start - LABEL_GAP_PX} y={y(tick)}>
            {measure.short(tick, step)}
          </text>
        </g>
      ))}
      {stacked(series).map(({ id, spans }, place) =>
        spans.map(({ from, to }, index) => (
          <rect
            key={`${id} ${months[index]?.month}`}
            data-series={id}
            data-month={months[index]?.month}
            x={x(months[index]?.month ?? '')}
            y={y(to)}
            width={x.bandwidth()}
            height={Math.max(0, y(from) - y(to))}
            fill={paints[place]}
          />
        )),
      )}
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
              <text x={left + x.bandwidth() / 2} y={top - SO_FAR_GAP_PX}>
                so far
              </text>
            </g>
          )
        );
      })}
      <g className={styles.foot}>
        <line x1={MARGINS.start} x2={size.width - MARGINS.end} y1={y(0)} y2={y(0)} />
        {labelled(months, x.step()).map((month) => (
          <text key={month} x={(x(month) ?? 0) + x.bandwidth() / 2} y={size.height - LABEL_GAP_PX}>
            {labelOf(month, x.step())}
          </text>
        ))}
      </g>
    </svg>
  );
}

const LABEL_GAP_PX = 8;
const SO_FAR_GAP_PX = 6;

/** The months that there is room to name, the last one among them. */
function labelled(months: readonly Month[], stepPx: number): string[] {
  const every = Math.max(1, Math.ceil(LABEL_PX / stepPx));
  return months.map(({ month }) => month).filter((_, index) => (months.length - 1 - index) % every === 0);
}

function labelOf(month: string, stepPx: number): string {
  return monthWords(month, stepPx >= LONG_LABEL_PX ? 'short' : 'narrow');
}
