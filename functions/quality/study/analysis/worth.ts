import { singleArm } from '../finished-run';
import type { Judgement } from '../judging/judgement';
import { mean } from '../statistics/quantile';
import type { TurnsByTask } from './runs-by-task';
import { shareRight } from './share-right';

const SCORE_MAX = 10;

/** How good a model's own answers to a task are, 0 to 1: how often they are right; of open questions, what judges gave them. */
export function worthOf(
  byArm: ReadonlyMap<string, TurnsByTask>,
  judgements: Iterable<Judgement>,
): (model: string, task: string) => number | undefined {
  const byTask = Map.groupBy(judgements, ({ task }) => task);
  return (model, task) => {
    const right = shareRight(byArm.get(singleArm(model))?.get(task));
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
