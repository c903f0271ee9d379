import { singleArm } from '../finished-run.ts';
import type { Judgement } from '../judging.ts';
import { type Preference, preferenceOf } from '../judging.ts';
import { atNoDifference } from '../statistics/at-no-difference.ts';
import { type Interval, mean, meanInterval, type Resampling } from '../statistics/mean-interval.ts';
import { type ArmFigures, armFigures } from './arm-figures.ts';
import type { CrossFit } from './best-single.ts';
import type { Turn } from './turns.ts';
import { type Judged, withVerdicts } from './verdicts.ts';

/** One row of the table of open questions: an arm beside the best single model. Margins are from -1 to 1. */
export interface OpenRow extends ArmFigures {
  readonly arm: string;
  readonly comparisons: number;
  readonly over: Judged<Interval>;
  /** The same where both answers are of one length. */
  readonly overAtEqualLength: Judged<Interval>;
  /** The share of comparisons whose verdict changed with the order. */
  readonly flips: number | undefined;
  /** The mean length of its answers by that of the best single model's. */
  readonly lengthRatio: number | undefined;
}

/** The material of comparisons of open questions. */
export interface OpenStudy {
  readonly tasks: readonly string[];
  readonly strategies: readonly string[];
  readonly judgements: readonly Judgement[];
  readonly fit: CrossFit;
  turnsOf(arm: string): readonly Turn[];
}

/** The rows of all strategies that judges have compared with the best single model. */
export function openRows(study: OpenStudy, resampling: Resampling): OpenRow[] {
  const rows = study.strategies.flatMap((arm) => rowOf(study, arm, resampling) ?? []);
  return withVerdicts(withVerdicts(rows, 'over'), 'overAtEqualLength');
}

function rowOf(study: OpenStudy, arm: string, resampling: Resampling): OpenRow | undefined {
  const judged = study.tasks.map((task) =>
    study.judgements.filter(
      (one) => one.task === task && one.arms[0] === arm && one.arms[1] === singleArm(study.fit.bestForTask(task)),
    ),
  );
  const preferences = judged.map((ofTask) => ofTask.map(preferenceOf).filter((one) => one !== undefined));
  const compared = preferences.filter(({ length }) => length > 0);
  const over = meanInterval(
    compared.map((ofTask) => mean(ofTask.map(({ margin }) => margin)) ?? 0),
    -1,
    resampling,
  );
  const equal = atNoDifference(
    compared.map((ofTask) => ofTask.map(swayed)),
    resampling,
  );
  if (!over || !equal) return undefined;
  const tasks = new Set(judged.flat().map(({ task }) => task));
  const turns = study.turnsOf(arm).filter(({ runs }) => runs.some(({ task }) => tasks.has(task)));
  const [ours, theirs] = [0, 1].map((place) => mean(judged.flat().map(({ lengths }) => lengths[place] ?? 0)) ?? 0);
  return {
    ...{ arm, ...armFigures(turns, false) },
    comparisons: compared.flat().length,
    over: { ...over, verdict: undefined },
    overAtEqualLength: { ...equal, verdict: undefined },
    flips: mean(compared.flat().flatMap(({ isFlipped }) => (isFlipped === undefined ? [] : [Number(isFlipped)]))),
    lengthRatio: theirs ? (ours ?? 0) / theirs : undefined,
  };
}

function swayed({ margin, longerBy }: Preference) {
  return { margin, difference: longerBy };
}
