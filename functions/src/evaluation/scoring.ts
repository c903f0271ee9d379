import { CORE_CRITERIA, type CriterionKey, criteriaOf, type RoleName, roleCriteria } from './rubric';

/** Scores from 0 to 10 by criterion. A judge's scores have all core criteria; of the role's some may be missing. */
export type Scores = Readonly<Partial<Record<CriterionKey, number>>>;

/** One response, with the scores of each judge that has usable ones. */
export interface ScoreRow {
  readonly role?: RoleName | undefined;
  readonly scores: readonly (Scores | undefined)[];
}

/** Consensus of the judges of one response. Judges are given by their index in the row, of equals the first. */
export interface Consensus {
  readonly scores: Scores;
  readonly overallScore: number;
  readonly judgeOveralls: readonly (number | undefined)[];
  /** Absent with fewer than two judges: nothing was measured. */
  readonly spread?: {
    /** Population variance of the judges' overall scores, unweighted; 0 to 25. */
    readonly variance: number;
    /** 20 standard deviations: 0 to 100; for two judges their distance as a percentage of the scale. */
    readonly divergencePercent: number;
    /** The judges with the lowest and the highest overall score. */
    readonly lowest: number;
    readonly highest: number;
  };
  /** The judge nearest to the consensus. */
  readonly medoid: number;
}

const CONTESTED_PERCENT = 15;
/** Fewer judges than this cannot tell which of them is the outlier. */
const WEIGHABLE_JUDGES_MIN = 3;
const QUIET_MOVE_MAX = 3;

/** The consensus on each response; undefined for one that no judge scored. `weighted`: outliers count less. */
export function aggregate(rows: readonly ScoreRow[], weighted: boolean): (Consensus | undefined)[] {
  const weights = weighted ? judgeWeights(rows) : [];
  return rows.map((row) => consensusOf(row, weights));
}

export function isContested(consensus: Consensus | undefined): boolean {
  return consensus?.spread !== undefined && consensus.spread.divergencePercent > CONTESTED_PERCENT;
}

/** Several readings by the same judge as one: the mean by criterion, over the readings that have it. */
export function averageScores(readings: readonly Scores[]): Scores {
  const keys = readings.flatMap(keysOf);
  return Object.fromEntries(keys.map((key) => [key, mean(readings.flatMap((scores) => scores[key] ?? []))]));
}

/** True where any score moved so far between two looks that the judge must have said why. */
export function movedFar(before: Scores, after: Scores): boolean {
  return differences(before, after).some((difference) => Math.abs(difference) > QUIET_MOVE_MAX);
}

/** To two decimals, as replies show numbers; nothing is rounded before. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** The mean of the core criteria, with a role 0.7 of it and 0.3 of the mean of the role's. */
export function overallOf(scores: Scores, role: RoleName | undefined): number {
  const core = mean(valuesOf(scores, CORE_CRITERIA));
  const further = valuesOf(scores, roleCriteria(role));
  if (further.length === 0) return core;
  return weightedMean([
    { value: core, weight: 0.7 },
    { value: mean(further), weight: 0.3 },
  ]);
}

/** Huber-style reliability of each judge: 1 / max(1, RMS distance from the median of the others). @internal */
export function judgeWeights(rows: readonly ScoreRow[]): number[] {
  return (rows[0]?.scores ?? []).map((_, judge) => {
    const squares = rows.flatMap((row) => distances(row, judge)).map((distance) => distance ** 2);
    return squares.length === 0 ? 1 : 1 / Math.max(1, Math.sqrt(mean(squares)));
  });
}

/** For each score of the judge that another one gave too: how far it is from the median of the others. */
function distances({ role, scores }: ScoreRow, judge: number): number[] {
  return criteriaOf([role]).flatMap((key) => {
    const own = scores[judge]?.[key];
    const others = scores.flatMap((other, index) => (index === judge ? [] : (other?.[key] ?? [])));
    return own === undefined || others.length === 0 ? [] : [own - median(others)];
  });
}

function consensusOf({ role, scores: byJudge }: ScoreRow, weights: readonly number[]): Consensus | undefined {
  const { length } = byJudge.filter((own) => own !== undefined);
  const usable = byJudge.flatMap((own, judge) => {
    const weight = length < WEIGHABLE_JUDGES_MIN ? 1 : (weights[judge] ?? 1);
    return own ? [{ judge, own, value: overallOf(own, role), weight }] : [];
  });
  if (length === 0) return undefined;
  const scores: Partial<Record<CriterionKey, number>> = {};
  for (const key of criteriaOf([role])) {
    const cells = usable.flatMap(({ own, weight }) => valuesOf(own, [key]).map((value) => ({ value, weight })));
    if (cells.length > 0) scores[key] = weightedMean(cells);
  }
  return {
    scores,
    overallScore: weightedMean(usable),
    judgeOveralls: byJudge.map((own) => own && overallOf(own, role)),
    medoid: nearest(usable, ({ own }) => mean(differences(own, scores).map((apart) => apart ** 2))).judge,
    ...(length > 1 && { spread: spreadOf(usable) }),
  };
}

function spreadOf(overalls: readonly { readonly judge: number; readonly value: number }[]) {
  const center = mean(overalls.map(({ value }) => value));
  const variance = mean(overalls.map(({ value }) => (value - center) ** 2));
  return {
    variance,
    divergencePercent: 20 * Math.sqrt(variance),
    lowest: nearest(overalls, ({ value }) => value).judge,
    highest: nearest(overalls, ({ value }) => -value).judge,
  };
}

/** Differences by criterion, over the criteria both have. */
function differences(one: Scores, other: Scores): number[] {
  return keysOf(one).flatMap((key) => {
    const [a, b] = [one[key], other[key]];
    return a === undefined || b === undefined ? [] : [a - b];
  });
}

/** The item with the smallest measure, the first of equals; `items` is not empty. */
function nearest<T>(items: readonly T[], measure: (item: T) => number): T {
  return items.reduce((best, item) => (measure(item) < measure(best) ? item : best));
}

const keysOf = (scores: Scores): CriterionKey[] => Object.keys(scores) as CriterionKey[];

function valuesOf(scores: Scores, keys: readonly CriterionKey[]): number[] {
  return keys.flatMap((key) => scores[key] ?? []);
}

function mean(values: readonly number[]): number {
  return weightedMean(values.map((value) => ({ value, weight: 1 })));
}

/** Kept within the range of its values, which rounding errors could leave: equal values have exactly that mean. */
function weightedMean(cells: readonly { readonly value: number; readonly weight: number }[]): number {
  const values = cells.map(({ value }) => value);
  const plain = sum(cells.map(({ value, weight }) => value * weight)) / sum(cells.map(({ weight }) => weight));
  return Math.min(Math.max(...values), Math.max(Math.min(...values), plain));
}

/** Added from the smallest up, so that the order of judges and responses changes not even the last bit. */
function sum(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b).reduce((total, value) => total + value, 0);
}

/** The mean of the one or two in the middle. */
function median(values: readonly number[]): number {
  const half = values.length / 2;
  return mean(values.toSorted((a, b) => a - b).slice(Math.ceil(half) - 1, Math.floor(half) + 1));
}
