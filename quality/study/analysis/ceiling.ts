import { singleArm } from '../finished-run.ts';
import { type ExactShare, exactShare, signTest } from '../statistics/exact-share.ts';
import type { CrossFit } from './best-single.ts';
import { isRight, type TurnsByTask } from './turns.ts';
import { holm } from './verdicts.ts';

/** The answers of all members to a task, one each, in the order of the members: true where right. */
export interface TaskDrafts {
  readonly task: string;
  readonly rights: readonly boolean[];
}

/** The bound of whatever chooses between the answers of these members: it is right on no task that all of them get wrong. */
export interface Ceiling {
  /** Models; one that is named several times answers as often. */
  readonly members: readonly string[];
  readonly drafts: readonly TaskDrafts[];
  /** The share of tasks that all members get wrong together (β). */
  readonly allWrong: ExactShare;
  /** The share that the best single model gets right, by the same answers. */
  readonly bestSingle: number;
  /** The share that the best single model gets wrong and some other member right. */
  readonly gain: ExactShare;
  /** True if the gain is more than chance (exact sign test, 5 %), which takes six tasks. */
  readonly isBeyondChance: boolean;
  /** Strategies that were right more often than any choice could be, beyond chance: they write what no member did. */
  readonly passedBy: readonly string[];
}

/** The arms of a study, and the models that are members of its ensembles. */
export interface Pool {
  readonly tasks: readonly string[];
  readonly members: readonly string[];
  readonly strategies: readonly string[];
  readonly byArm: ReadonlyMap<string, TurnsByTask>;
  readonly fit: Pick<CrossFit, 'bestForTask'>;
}

const LEVEL = 0.05;

/**
 * The ceiling by first answers: one joint observation a task, so that the interval is exact. Repeats of a task are no independent
 * evidence, and the mean over them is no count. Undefined where no task has a known outcome of every member.
 */
export function ceilingOf({ tasks, members, strategies, byArm, fit }: Pool): Ceiling | undefined {
  const rightOn = (arm: string, task: string, repeat = 1): boolean | undefined => {
    const turn = byArm
      .get(arm)
      ?.get(task)
      ?.find((one) => one.repeat === repeat);
    return turn && isRight(turn);
  };
  const draws = members.map((model, place) => ({
    arm: singleArm(model),
    repeat: members.slice(0, place + 1).filter((one) => one === model).length,
  }));
  const drafts = tasks.flatMap((task): TaskDrafts[] => {
    const rights = draws.map(({ arm, repeat }) => rightOn(arm, task, repeat)).filter((right) => right !== undefined);
    return rights.length === members.length ? [{ task, rights }] : [];
  });
  if (drafts.length === 0) return undefined;
  const isBestRight = ({ task, rights }: TaskDrafts): boolean =>
    rights[members.indexOf(fit.bestForTask(task))] ?? false;
  const countOf = (isCounted: (one: TaskDrafts) => boolean): number => drafts.filter(isCounted).length;
  const right = countOf(isBestRight);
  const allWrong = countOf(isMissed);
  const gain = exactShare(drafts.length - allWrong - right, drafts.length);
  const ps = strategies.map((arm) => {
    const beyond = countOf((one) => isMissed(one) && rightOn(arm, one.task) === true);
    const below = countOf((one) => !isMissed(one) && rightOn(arm, one.task) === false);
    return beyond > below ? signTest(beyond, below) : 1;
  });
  const adjusted = holm(ps);
  return {
    ...{ members, drafts, gain },
    allWrong: exactShare(allWrong, drafts.length),
    bestSingle: right / drafts.length,
    isBeyondChance: signTest(gain.count, 0) <= LEVEL,
    passedBy: strategies.filter((_, place) => (adjusted[place] as number) <= LEVEL),
  };
}

function isMissed({ rights }: TaskDrafts): boolean {
  return !rights.includes(true);
}
