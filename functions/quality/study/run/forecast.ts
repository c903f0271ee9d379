import { singleArm } from '../finished-run';
import type { StudyTask } from '../study-task';
import { type Panel, singleModels } from './arms';
import type { Price, Prices } from './prices';

/** What a study has yet to do. */
export interface Remaining {
  readonly runs: number;
  readonly price: Price;
}

/** Runs, and what they are to cost, without those that are finished. Samples are to cost as much as the dearest strategy. */
export function forecast(
  {
    tasks,
    strategies,
    repeats,
    ...panel
  }: Panel & {
    readonly tasks: readonly StudyTask[];
    readonly strategies: readonly string[];
    readonly repeats: number;
  },
  prices: Prices,
  isFinished: (arm: string, task: string, repeat: number) => boolean,
): Remaining {
  let [runs, lowNanoUsd, highNanoUsd] = [0, 0, 0];
  const arms = [...singleModels(panel).map(singleArm), ...strategies];
  for (const { id, kind } of tasks) {
    for (let repeat = 1; repeat <= repeats; repeat += 1) {
      const left = arms.filter((arm) => !isFinished(arm, id, repeat));
      const costs = left.map((arm) => prices.of(arm, kind));
      const ofStrategies = left.filter((arm) => strategies.includes(arm)).map((arm) => prices.of(arm, kind));
      runs += left.length;
      lowNanoUsd += sum(costs, 'lowNanoUsd') + most(ofStrategies, 'lowNanoUsd');
      highNanoUsd += sum(costs, 'highNanoUsd') + most(ofStrategies, 'highNanoUsd');
    }
  }
  return { runs, price: { lowNanoUsd, highNanoUsd } };
}

function sum(prices: readonly Price[], field: keyof Price): number {
  return prices.reduce((total, price) => total + price[field], 0);
}

function most(prices: readonly Price[], field: keyof Price): number {
  return Math.max(0, ...prices.map((price) => price[field]));
}
