import { mean } from '../statistics/quantile.ts';
import { majorityOf } from './majority.ts';
import type { Turn } from './runs-by-task.ts';

/** How often an arm was right on a task, over its repeats; undefined where it has not run, or nobody can say. */
export function shareRight(turns: readonly Turn[] | undefined): number | undefined {
  const rights = (turns ?? []).map(isRight).filter((right) => right !== undefined);
  return mean(rights.map(Number));
}

/** Whether a turn was right; of samples that are voted on, whether the majority is. */
export function isRight({ runs }: Pick<Turn, 'runs'>): boolean | undefined {
  return majorityOf(runs)?.isRight ?? undefined;
}
