import { CORE_CRITERIA, type CriterionKey } from './criteria';
import { criteriaOf, type RoleName, roleCriteria } from './roles';

/**
 * All arithmetic of an evaluation, pure and at full precision. Symbols as in the docs: s[j,r,c] is judge j's score for
 * response r on criterion c, U_r the judges with scores for r. No sum depends on the order of judges or responses.
 */

/** Scores from 0 to 10 by criterion. A judge's scores have all core criteria; of the role's some may be missing. */
export type Scores = Readonly<Partial<Record<CriterionKey, number>>>;

/** One response: what each judge of the bench scored it, in bench order; undefined where a judge has no usable scores. */
export interface ScoreRow {
  readonly role?: RoleName;
  readonly scores: readonly (Scores | undefined)[];
}

/** What the judges of one response amount to. */
export interface Consensus {
  readonly scores: Scores;
  /** 0 to 10. */
  readonly overallScore: number;
  /** Each judge's own overall score, in bench order. */
  readonly judgeOveralls: readonly (number | undefined)[];
  /** How far the judges are apart; absent with fewer than two: nobody measured it. */
  readonly spread?: Spread;
  /** The judge nearest to the consensus, by its place on the bench; the first of equals. */
  readonly medoid: number;
}

/** How far the judges of one response are apart. */
export interface Spread {
  /** Population variance of the judges' overall scores, unweighted; 0 to 25. */
  readonly variance: number;
  /** 20 standard deviations' worth: 0 to 100; for two judges their distance as a percentage of the scale. */
  readonly divergencePercent: number;
  /** The judges with the lowest and the highest overall score, by place on the bench; the first of equals. */
  readonly lowest: number;
  readonly highest: number;
}

/** Above this divergence the judges contradict each other. */
const CONTESTED_PERCENT = 15;
/** Parts of a judge's overall score where the response has a role. */
const CORE_PART = 0.7;
const ROLE_PART = 0.3;
/** Fewer judges than this cannot tell which of them is the outlier. */
const WEIGHABLE_JUDGES_MIN = 3;
/** A second look may move a score this far without saying why. */
const QUIET_MOVE_MAX = 3;

/** A judge's overall score: the mean of the core criteria, with a role 0.7 of it and 0.3 of the mean of the role's. */
export function overallOf(scores: Scores, role: RoleName | undefined): number {
  const core = mean(valuesOf(scores, CORE_CRITERIA));
  const further = valuesOf(scores, roleCriteria(role));
  if (further.length === 0) return core;
  return weightedMean([
    { value: core, weight: CORE_PART },
    { value: mean(further), weight: ROLE_PART },
  ]);
}

/** Several readings of one response by the same judge as one: the mean by criterion, over the readings that have it. */
export function averageScores(readings: readonly Scores[]): Scores {
  const keys = readings.flatMap(keysOf);
  return Object.fromEntries(keys.map((key) => [key, mean(readings.flatMap((scores) => valuesOf(scores, [key])))]));
}

/** The consensus on each response; undefined for one that no judge scored. `weighted`: see `judgeWeights`. */
export function aggregate(rows: readonly ScoreRow[], weighted: boolean): (Consensus | undefined)[] {
  const weights = weighted ? judgeWeights(rows) : [];
  return rows.map((row) => {
    const seated = row.scores.flatMap((scores, judge) => (scores ? [{ scores, judge }] : []));
    if (seated.length === 0) return undefined;
    const usable = seated.map(({ scores, judge }) => ({
      judge,
      scores,
      overall: overallOf(scores, row.role),
      weight: seated.length < WEIGHABLE_JUDGES_MIN ? 1 : (weights[judge] ?? 1),
    }));
    return consensusOf(row, usable);
  });
}

/** Whether the judges contradict each other so far that a second look is worth it, and worth telling. */
export function isContested(consensus: Consensus | undefined): boolean {
  return consensus?.spread !== undefined && consensus.spread.divergencePercent > CONTESTED_PERCENT;
}

/** Whether any score moved so far between two looks that the judge must have said why. */
export function movedFar(before: Scores, after: Scores): boolean {
  return differences(before, after).some((difference) => Math.abs(difference) > QUIET_MOVE_MAX);
}

/** To two decimals, as replies show numbers; nothing is rounded before. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/**
 * Huber-style reliability of each judge: w = 1 / max(1, D), D the root mean square, over all cells scored by the judge
 * and another one, of its distance from the median of the others. Within a point of its peers a judge loses nothing,
 * and raising a score never lowers its consensus.
 */
export function judgeWeights(rows: readonly ScoreRow[]): number[] {
  const cells = Map.groupBy(rows.flatMap(cellDistances), ({ judge }) => judge);
  return (rows[0]?.scores ?? []).map((_, judge) => {
    const squares = cells.get(judge)?.map(({ distance }) => distance ** 2);
    return squares ? 1 / Math.max(1, Math.sqrt(mean(squares))) : 1;
  });
}

interface Usable {
  readonly judge: number;
  readonly scores: Scores;
  readonly overall: number;
  readonly weight: number;
}

function consensusOf(row: ScoreRow, usable: readonly Usable[]): Consensus {
  const scores: Partial<Record<CriterionKey, number>> = {};
  for (const key of criteriaOf([row.role])) {
    const cells = usable.flatMap(({ scores: own, weight }) => valuesOf(own, [key]).map((value) => ({ value, weight })));
    if (cells.length > 0) scores[key] = weightedMean(cells);
  }
  return {
    scores,
    overallScore: weightedMean(usable.map(({ overall: value, weight }) => ({ value, weight }))),
    judgeOveralls: row.scores.map((own) => own && overallOf(own, row.role)),
    medoid: nearest(usable, ({ scores: own }) => mean(differences(own, scores).map((apart) => apart ** 2))).judge,
    ...(usable.length > 1 && { spread: spreadOf(usable) }),
  };
}

function spreadOf(usable: readonly Usable[]): Spread {
  const overalls = usable.map(({ overall }) => overall);
  const center = mean(overalls);
  const variance = mean(overalls.map((overall) => (overall - center) ** 2));
  return {
    variance,
    divergencePercent: 20 * Math.sqrt(variance),
    lowest: nearest(usable, ({ overall }) => overall).judge,
    highest: nearest(usable, ({ overall }) => -overall).judge,
  };
}

/** For each score that another judge gave too: how far it is from the median of the others. */
function cellDistances({ role, scores }: ScoreRow): { readonly judge: number; readonly distance: number }[] {
  return criteriaOf([role]).flatMap((key) => {
    const cells = scores.flatMap((own, judge) => valuesOf(own ?? {}, [key]).map((value) => ({ judge, value })));
    if (cells.length < 2) return [];
    return cells.map(({ judge, value }) => {
      const others = cells.filter((cell) => cell.judge !== judge).map((cell) => cell.value);
      return { judge, distance: value - median(others) };
    });
  });
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

/** Added from the smallest up, so that the order of the values changes not even the last bit. */
function sum(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b).reduce((total, value) => total + value, 0);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = Math.floor(sorted.length / 2);
  return mean(sorted.slice(sorted.length % 2 === 0 ? upper - 1 : upper, upper + 1));
}
