import { type FinishedRun, samplesArm, singleArm } from '../finished-run.ts';
import type { Judgement } from '../judging.ts';
import type { Label } from '../questions/ratings.ts';
import { type Interval, meanInterval } from '../statistics/mean-interval.ts';
import { type Agreement, agreementWith } from './agreement.ts';
import { type ArmFigures, armFigures } from './arm-figures.ts';
import { type CrossFit, crossFit, halvesOf, worthOf } from './best-single.ts';
import { type Ceiling, ceilingOf } from './ceiling.ts';
import { overEqualSpend, type SpendOf, spendOf } from './equal-spend.ts';
import { type KeptFacts, keptFacts } from './kept-facts.ts';
import { type OpenRow, openRows } from './open-rows.ts';
import { runsByArm, shareRight, type Turn, type TurnsByTask } from './turns.ts';
import { type Judged, withVerdicts } from './verdicts.ts';

/** The runs and judgements of a study. */
export interface StudyRuns {
  readonly tasks: readonly string[];
  /** The models of the ensembles, and their arbiter; one that is named several times takes part as often. */
  readonly panel: readonly string[];
  /** The arms beside the single models: strategies, and `auto`. */
  readonly strategies: readonly string[];
  /** Arms of other servers. */
  readonly external?: readonly string[];
  readonly seed: number;
  readonly runs: readonly FinishedRun[];
  /** Judges' scores of answers to open questions. */
  readonly judgements: readonly Judgement[];
  /** Ratings of earlier answers by users, by task. */
  readonly labels?: Readonly<Record<string, readonly Label[]>>;
}

/** A difference to another arm, task by task. */
export type Difference = Judged<Interval & { readonly tasks: number }>;

/** One row of the table. */
export interface ArmRow extends ArmFigures {
  readonly arm: string;
  readonly kind: 'single' | 'equal spend' | 'strategy' | 'external';
  readonly tasks: number;
  /** The share of tasks that were answered right, and how sure that is; undefined where nobody can say. */
  readonly correct: Interval | undefined;
  readonly overBestSingle: Difference | undefined;
  readonly overEqualSpend: Difference | undefined;
  /** Undefined where no member alone had a fact. */
  readonly keptFacts: KeptFacts | undefined;
}

/** The findings of a study. */
export interface Analysis {
  readonly rows: readonly ArmRow[];
  readonly openRows: readonly OpenRow[];
  readonly crossFit: CrossFit;
  /** Undefined where no task has a known outcome of every model. */
  readonly ceiling: Ceiling | undefined;
  /** Undefined where no label of a user is of an arm that was compared. */
  readonly agreement: Agreement | undefined;
  readonly spentIn: 'usd' | 'calls';
}

/** The arm in which the samples of the best single models are voted on, all of them. */
export const EQUAL_SPEND = 'best single, voted on';
const RESAMPLES = 4_000;

/** The rows of the table, from the runs alone: the same for the same seed. `resamples` of the bootstrap over tasks. */
export function analyse(study: StudyRuns, resamples = RESAMPLES): Analysis {
  const byArm = runsByArm(study.runs);
  const { seed, judgements, external = [], labels = {} } = study;
  const panel = [...new Set(study.panel)];
  const fit = crossFit({ panel, halves: halvesOf(study.tasks, seed) }, worthOf(byArm, judgements));
  const spend = spendOf(study.runs, external);
  const sampled = samplesOfBest(byArm, study.tasks, fit);
  const context: Context = { ...{ study, byArm, fit, sampled, resamples }, of: spend.of };
  const rows = [
    ...panel.map((model) => rowOf(context, 'single', singleArm(model), byArm.get(singleArm(model)))),
    rowOf(context, 'equal spend', EQUAL_SPEND, sampled),
    ...study.strategies.map((name) => rowOf(context, 'strategy', name, byArm.get(name))),
    ...external.map((name) => rowOf(context, 'external', name, byArm.get(name))),
  ];
  const played = rows.filter(({ tasks }) => tasks > 0);
  const isJudged = ({ kind }: ArmRow): boolean => kind === 'strategy' || kind === 'external';
  const turnsOf = (arm: string): readonly Turn[] => [...(byArm.get(arm)?.values() ?? [])].flat();
  return {
    rows: withVerdicts(withVerdicts(played, 'overBestSingle', isJudged), 'overEqualSpend', isJudged),
    openRows: openRows({ ...study, strategies: [...study.strategies, ...external], fit, turnsOf }, { seed, resamples }),
    ceiling: ceilingOf({ ...study, members: study.panel, byArm, fit }),
    agreement: agreementWith({ labels, judgements, byArm, fit }),
    ...{ crossFit: fit, spentIn: spend.unit },
  };
}

interface Context {
  readonly study: StudyRuns;
  readonly byArm: ReadonlyMap<string, TurnsByTask>;
  readonly fit: CrossFit;
  readonly sampled: TurnsByTask;
  readonly of: SpendOf;
  readonly resamples: number;
}

/** For each task the samples of the model that was best on the other half. */
function samplesOfBest(
  byArm: Context['byArm'],
  tasks: readonly string[],
  { bestForTask }: CrossFit,
): Map<string, readonly Turn[]> {
  const found = tasks.map((task) => [task, byArm.get(samplesArm(bestForTask(task)))?.get(task)] as const);
  return new Map(found.filter((entry): entry is [string, readonly Turn[]] => entry[1] !== undefined));
}

function rowOf(context: Context, kind: ArmRow['kind'], arm: string, byTask: TurnsByTask = new Map()): ArmRow {
  const { tasks, seed } = context.study;
  const intervalOf = (values: readonly (number | undefined)[], least: 0 | -1): Difference | undefined => {
    const known = values.filter((value) => value !== undefined);
    const interval = meanInterval(known, least, { seed, resamples: context.resamples });
    return interval && { ...interval, tasks: known.length, verdict: undefined };
  };
  const shares = tasks.map((task) => shareRight(byTask.get(task)));
  return {
    ...{ arm, kind, tasks: byTask.size },
    ...armFigures([...byTask.values()].flat(), kind === 'equal spend'),
    keptFacts: keptFacts(byTask, { seed, resamples: context.resamples }),
    correct: intervalOf(shares, 0),
    overBestSingle: intervalOf(
      tasks.map((task, index) => less(shares[index], bestShare(context, { task, arm }))),
      -1,
    ),
    overEqualSpend:
      kind === 'strategy'
        ? intervalOf(
            tasks.map((task) => overEqualSpend(byTask.get(task) ?? [], context.sampled.get(task), context.of)),
            -1,
          )
        : undefined,
  };
}

/** The share of the best single model on a task; a model is not compared with itself. */
function bestShare({ byArm, fit }: Context, { task, arm }: { readonly task: string; readonly arm: string }) {
  const best = singleArm(fit.bestForTask(task));
  return best === arm ? undefined : shareRight(byArm.get(best)?.get(task));
}

function less(share: number | undefined, other: number | undefined): number | undefined {
  return share === undefined || other === undefined ? undefined : share - other;
}
