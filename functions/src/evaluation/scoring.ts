import { CORE_CRITERIA, CRITERIA, type CriterionKey, type RoleName, roleCriteria } from './rubric';

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
const KEYS = Object.keys(CRITERIA) as CriterionKey[];

/** The consensus on each response; undefined for one that no judge scored. `weighted`: outliers count less. */
export function aggregate(rows: readonly ScoreRow[], weighted: boolean): (Consensus | undefined)[] {
  const weights = weighted ? judgeWeights(rows) : [];
  return rows.map((row) => consensusOf(row, weights));
}

export function isContested(consensus: Consensus | undefined): boolean {
  return consensus?.spread !== undefined && consensus.spread.divergencePercent > CONTESTED_PERCENT;
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
  const core = mean(CORE_CRITERIA.flatMap((key) => scores[key] ?? []));
  const further = roleCriteria(role).flatMap((key) => scores[key] ?? []);
  return further.length === 0 ? core : mean([core, mean(further)], [0.7, 0.3]);
}

/** Several scores as one: the mean by criterion, over those that have it. */
export function averageScores(all: readonly Scores[], weights = all.map(() => 1)): Scores {
  const scores: Partial<Record<CriterionKey, number>> = {};
  for (const key of KEYS) {
    const given = [...all.keys()].filter((at) => all[at]?.[key] !== undefined);
    const [values, ofValues] = [given.map((at) => all[at]?.[key] ?? 0), given.map((at) => weights[at] ?? 1)];
    if (given.length > 0) scores[key] = mean(values, ofValues);
  }
  return scores;
}

/** Huber-style reliability of each judge: 1 / max(1, RMS distance from the median of the others). @internal */
export function judgeWeights(rows: readonly ScoreRow[]): number[] {
  return (rows[0]?.scores ?? []).map((_, judge) => {
    const squares = rows.flatMap((row) => distances(row, judge)).map((distance) => distance ** 2);
    return squares.length === 0 ? 1 : 1 / Math.max(1, Math.sqrt(mean(squares)));
  });
}

/** For each score of the judge that another one gave too: how far it is from the median of the others. */
function distances({ scores }: ScoreRow, judge: number): number[] {
  return KEYS.flatMap((key) => {
    const own = scores[judge]?.[key];
    const others = scores.flatMap((other, index) => (index === judge ? [] : (other?.[key] ?? [])));
    return own === undefined || others.length === 0 ? [] : [own - median(others)];
  });
}

function consensusOf({ role, scores: byJudge }: ScoreRow, allWeights: readonly number[]): Consensus | undefined {
  const judges = [...byJudge.keys()].filter((judge) => byJudge[judge] !== undefined);
  if (judges.length === 0) return undefined;
  const given = judges.map((judge) => byJudge[judge] ?? {});
  const overalls = given.map((own) => overallOf(own, role));
  const weights = judges.map((judge) => (judges.length < WEIGHABLE_JUDGES_MIN ? 1 : (allWeights[judge] ?? 1)));
  const scores = averageScores(given, weights);
  const distance = given.map((own) => mean(differences(own, scores).map((apart) => apart ** 2)));
  const [center, judgeWith] = [mean(overalls), (at: number): number => judges[at] ?? 0];
  const variance = mean(overalls.map((overall) => (overall - center) ** 2));
  return {
    scores,
    overallScore: mean(overalls, weights),
    judgeOveralls: byJudge.map((own) => own && overallOf(own, role)),
    medoid: judgeWith(distance.indexOf(Math.min(...distance))),
    ...(judges.length > 1 && {
      spread: {
        variance,
        divergencePercent: 20 * Math.sqrt(variance),
        lowest: judgeWith(overalls.indexOf(Math.min(...overalls))),
        highest: judgeWith(overalls.indexOf(Math.max(...overalls))),
      },
    }),
  };
}

/** Differences by criterion, over the criteria both have. */
function differences(one: Scores, other: Scores): number[] {
  return KEYS.flatMap((key) => {
    const [a, b] = [one[key], other[key]];
    return a === undefined || b === undefined ? [] : [a - b];
  });
}

/** Kept within the range of its values, which rounding errors could leave: equal values have exactly that mean. */
function mean(values: readonly number[], weights: readonly number[] = values.map(() => 1)): number {
  const plain = sum(values.map((value, at) => value * (weights[at] ?? 1))) / sum(weights);
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
