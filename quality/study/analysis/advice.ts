import { meanInterval } from '../statistics/mean-interval.ts';
import type { Analysis, ArmRow, StudyRuns } from './analyse.ts';
import { runsByArm, shareRight } from './turns.ts';
import { holm } from './verdicts.ts';

/** The arm to be used, and those that are worse. */
export interface Advice {
  readonly best: ArmRow;
  readonly cheapest: ArmRow;
  /** Arms that are worse than the best, at 5 % for all of them together. */
  readonly worse: readonly string[];
  /** Strategies that are not to be used: choosing between these models has nothing to gain that is beyond chance. */
  readonly leftOut: readonly string[];
}

const RESAMPLES = 4_000;
const LEVEL = 0.05;

/**
 * The cheapest arm that is not significantly worse than the best; samples that are voted on are no setting. An ensemble is left out
 * where its possible gain is within chance, unless it has passed the ceiling.
 */
export function advice(study: StudyRuns, analysis: Analysis): Advice | undefined {
  const { rows, ceiling } = analysis;
  const cost = costOf(analysis);
  const known = rows.filter((row) => (row.kind === 'single' || row.kind === 'strategy') && row.correct);
  const mayGain = ({ kind, arm }: ArmRow): boolean =>
    kind === 'single' || !ceiling || ceiling.isBeyondChance || ceiling.passedBy.includes(arm);
  const arms = known.filter(mayGain);
  const best = arms.toSorted((a, b) => share(b) - share(a) || cost(a) - cost(b))[0];
  if (!best) return undefined;
  const others = arms.filter((row) => row !== best);
  const ps = holm(others.map(({ arm }) => pOfBeingAsGood(study, arm, best.arm)));
  const worse = others.filter((_, index) => (ps[index] as number) <= LEVEL);
  const good = arms.filter((row) => !worse.includes(row));
  const [cheapest = best] = good.toSorted((a, b) => cost(a) - cost(b) || share(b) - share(a));
  const leftOut = known.filter((row) => !arms.includes(row)).map(({ arm }) => arm);
  return { best, cheapest, worse: worse.map(({ arm }) => arm), leftOut };
}

function pOfBeingAsGood({ tasks, runs, seed }: StudyRuns, arm: string, best: string): number {
  const byArm = runsByArm(runs);
  const differences = tasks.flatMap((task) => {
    const [ours, theirs] = [shareRight(byArm.get(arm)?.get(task)), shareRight(byArm.get(best)?.get(task))];
    return ours === undefined || theirs === undefined ? [] : [ours - theirs];
  });
  const interval = meanInterval(differences, -1, { seed, resamples: RESAMPLES });
  return interval && interval.mean < 0 ? interval.p : 1;
}

function share({ correct }: ArmRow): number {
  return correct?.mean ?? 0;
}

/** Orders arms by price: dollars per answer, or calls if a model of the study has no known price. */
export function costOf({ spentIn }: Pick<Analysis, 'spentIn'>): (row: ArmRow) => number {
  return ({ usdPerAnswer = 0, callsPerAnswer }) => (spentIn === 'usd' ? usdPerAnswer : callsPerAnswer);
}
