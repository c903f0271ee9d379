import { type Interval, meanInterval, type Resampling, spreadInterval } from './mean-interval.ts';

/** One comparison: by how much it was won, -1 to 1, and a property that may have swayed it. */
export interface Swayed {
  readonly margin: number;
  readonly difference: number;
}

/** Sums of the comparisons of a task, from which a line through all of them follows. */
interface Sums {
  readonly count: number;
  readonly x: number;
  readonly y: number;
  readonly xx: number;
  readonly xy: number;
}

const NONE: Sums = { count: 0, x: 0, y: 0, xx: 0, xy: 0 };

/**
 * The margin that is to be expected where two answers do not differ in a property, such as their length: the height at 0 of the line
 * through all comparisons, by a bootstrap over tasks. Differences are scaled by their spread and bounded, as AlpacaEval does, so that one
 * very long answer does not decide the slope. Where all comparisons differ alike nothing can be told apart, and the mean is left as it is.
 */
export function atNoDifference(tasks: readonly (readonly Swayed[])[], resampling: Resampling): Interval | undefined {
  const all = tasks.flat();
  const spread = Math.sqrt(all.reduce((sum, { difference }) => sum + difference ** 2, 0) / all.length) || 1;
  const sums = tasks.filter(({ length }) => length > 0).map((ofTask) => sumsOf(ofTask, spread));
  const mean = heightAtZero(sums.reduce(added, NONE));
  const isEven = all.every(({ margin }) => margin === all[0]?.margin);
  if (all.length === 0 || isEven)
    return meanInterval(
      sums.map(({ count, y }) => y / count),
      -1,
      resampling,
    );
  const count = sums.length;
  const draw = (next: () => number): number => {
    let drawn = NONE;
    for (let index = 0; index < count; index += 1) drawn = added(drawn, sums[Math.floor(next() * count)] as Sums);
    return heightAtZero(drawn);
  };
  return spreadInterval({ mean, count, draw }, -1, resampling);
}

function sumsOf(comparisons: readonly Swayed[], spread: number): Sums {
  return comparisons
    .map(({ margin: y, difference }) => ({ y, x: Math.tanh(difference / spread) }))
    .map(({ x, y }) => ({ count: 1, x, y, xx: x * x, xy: x * y }))
    .reduce(added, NONE);
}

function added(one: Sums, other: Sums): Sums {
  return {
    count: one.count + other.count,
    x: one.x + other.x,
    y: one.y + other.y,
    xx: one.xx + other.xx,
    xy: one.xy + other.xy,
  };
}

function heightAtZero({ count, x, y, xx, xy }: Sums): number {
  const spread = xx - (x * x) / count;
  const slope = spread > 1e-9 ? (xy - (x * y) / count) / spread : 0;
  return Math.max(-1, Math.min(1, (y - slope * x) / count));
}
