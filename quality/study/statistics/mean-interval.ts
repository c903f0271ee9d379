/** The value below which a share of the values lies, the nearest one that there is; undefined without values. */
export function quantile(values: readonly number[], share: number): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

/** The mean; undefined without values. */
export function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** A mean with its interval of 95 %, and the two-sided p of its being 0. */
export interface Interval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  readonly p: number;
}

/** The seed and the number of draws of a bootstrap. */
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
  const source = Float64Array.from(values);
  const draw = (next: () => number): number => {
    let sum = 0;
    for (let drawn = 0; drawn < count; drawn += 1) sum += source[Math.floor(next() * count)] as number;
    return sum / count;
  };
  return spreadInterval({ mean, count, draw }, least, resampling);
}

/** A figure of so many tasks, and the same of tasks drawn anew with numbers from 0 up to 1. */
export interface Drawn {
  readonly mean: number;
  readonly count: number;
  draw(next: () => number): number;
}

/** The interval of any figure of several tasks that can be drawn anew; one task tells nothing of its spread. */
export function spreadInterval({ mean, count, draw }: Drawn, least: 0 | -1, { seed, resamples }: Resampling): Interval {
  if (count < 2) return withoutSpread(mean, count, least);
  const next = uniform(seed);
  const spread = (Math.sqrt(count / (count - 1)) * student95(count - 1)) / NORMAL;
  const means = new Float64Array(resamples).map(() => mean + spread * (draw(next) - mean));
  means.sort();
  const at = (share: number): number => means[Math.round(share * (means.length - 1))] as number;
  return { mean, low: Math.max(least, at(LOW)), high: Math.min(1, at(1 - LOW)), p: pOfZero(means) };
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
 * The interval of equal values, of which drawing anew tells nothing. The share of tasks that would have another value is, with
 * the same certainty, below what n tasks without one of them allow (Clopper and Pearson); p is that of the sign test.
 */
function withoutSpread(mean: number, count: number, least: 0 | -1): Interval {
  const others = 1 - LOW ** (1 / count);
  const p = mean === 0 ? 1 : Math.min(1, 2 * 0.5 ** count);
  return { mean, low: Math.max(least, mean - others), high: Math.min(1, mean + others), p };
}

/** The quantile of the normal distribution for 95 %. */
const NORMAL = 1.959963984540054;
/** Quantiles of Student's distribution for 1 to 5 degrees of freedom, where the expansion below is too coarse. */
const FEW = [12.706205, 4.302653, 3.182446, 2.776445, 2.570582];

/** The quantile of Student's distribution for a two-sided 95 %, by the expansion of Cornish and Fisher. */
function student95(degreesOfFreedom: number): number {
  const few = FEW[degreesOfFreedom - 1];
  if (few !== undefined) return few;
  const z = NORMAL;
  const terms = [
    z,
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
  ];
  return terms.reduce((sum, term, power) => sum + term / degreesOfFreedom ** power, 0);
}

/** Numbers from 0 up to 1, without 1, that are the same for the same seed (mulberry32): millions of them are drawn. */
export function uniform(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
