import { NORMAL, student95 } from './student';
import { uniform } from './uniform';

/** A mean with its interval of 95 %, and the two-sided p of its being 0. */
export interface Interval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  readonly p: number;
}

/** How resampling is done. */
export interface Resampling {
  readonly seed: number;
  readonly resamples: number;
}

const LOW = 0.025;

/**
 * The bootstrap over tasks. A value belongs to one task, all of whose repeats are in it, so that drawing tasks anew draws
 * whole clusters. The means that are drawn are spread by what a sample of this size lacks: its variance is too small by one
 * part in n, and Student's quantile is wider than the normal one. Interval and p are read from the same means.
 */
export function meanInterval(values: readonly number[], least: 0 | -1, resampling: Resampling): Interval | undefined {
  const count = values.length;
  if (count === 0) return undefined;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  if (values.every((value) => value === values[0])) return withoutSpread(mean, count, least);
  const spread = (Math.sqrt(count / (count - 1)) * student95(count - 1)) / NORMAL;
  const means = resampledMeans(values, resampling).map((drawn) => mean + spread * (drawn - mean));
  means.sort();
  const at = (share: number): number => means[Math.round(share * (means.length - 1))] as number;
  return { mean, low: Math.max(least, at(LOW)), high: Math.min(1, at(1 - LOW)), p: pOfZero(means) };
}

function resampledMeans(values: readonly number[], { seed, resamples }: Resampling): Float64Array {
  const next = uniform(seed);
  const source = Float64Array.from(values);
  return new Float64Array(resamples).map(() => {
    let sum = 0;
    for (let drawn = 0; drawn < source.length; drawn += 1) sum += source[Math.floor(next() * source.length)] as number;
    return sum / source.length;
  });
}

function pOfZero(means: Float64Array): number {
  let [below, above] = [0, 0];
  for (const mean of means) {
    if (mean <= 0) below += 1;
    if (mean >= 0) above += 1;
  }
  return Math.min(1, (2 * (Math.min(below, above) + 1)) / (means.length + 1));
}

/**
 * Where all values are equal, drawing them anew tells nothing. Then the share of tasks that would have another value is, with
 * the same certainty, below what n tasks without one of them allow (Clopper and Pearson); p is that of the sign test.
 */
function withoutSpread(mean: number, count: number, least: 0 | -1): Interval {
  const others = 1 - LOW ** (1 / count);
  const p = mean === 0 ? 1 : Math.min(1, 2 * 0.5 ** count);
  return { mean, low: Math.max(least, mean - others), high: Math.min(1, mean + others), p };
}
