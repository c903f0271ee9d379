import { singleArm } from '../finished-run.ts';
import type { Judgement } from '../judging/judgement.ts';
import { mean } from '../statistics/quantile.ts';
import type { TurnsByTask } from './runs-by-task.ts';
import { shareRight } from './share-right.ts';

const SCORE_MAX = 10;

/**
 * How good a model's own first answer to a task is, 0 to 1: whether it is right; of open questions, what judges gave it. Later
 * repeats do not count: who is best is to be known before anything is compared with it.
 */
export function worthOf(
  byArm: ReadonlyMap<string, TurnsByTask>,
  judgements: Iterable<Judgement>,
): (model: string, task: string) => number | undefined {
  const byTask = Map.groupBy(judgements, ({ task }) => task);
  return (model, task) => {
    const turns = byArm.get(singleArm(model))?.get(task);
    const right = shareRight(turns?.filter(({ repeat }) => repeat === 1));
    if (right !== undefined) return right;
    const score = mean((byTask.get(task) ?? []).flatMap((judgement) => scoresOf(judgement, singleArm(model))));
    return score === undefined ? undefined : score / SCORE_MAX;
  };
}

/** Of a judgement of single models alone: beside a strategy only some of them are judged. */
function scoresOf({ arms, readings }: Judgement, arm: string): readonly number[] {
  const place = arms.indexOf(arm);
  if (place < 0 || !arms.every((one) => one.startsWith(singleArm('')))) return [];
  return readings.map((scores) => scores[place] ?? 0);
}
