import { singleArm } from '../finished-run.ts';
import type { StudyTask } from '../study-task.ts';
import { type Panel, singleModels } from './arms.ts';
import type { JudgePrices } from './judge-prices.ts';
import type { Price, Prices } from './prices.ts';

/** What a study has yet to do. */
export interface Remaining {
  readonly runs: number;
  readonly price: Price;
}

/**
 * Runs, and what they are to cost, without those that are finished. Samples are to cost as much as the dearest strategy; open
 * questions have judges in their place.
 */
export function forecast(
  {
    tasks,
    strategies,
    repeats,
    judges,
    judgePrices,
    ...panel
  }: Panel & {
    readonly tasks: readonly StudyTask[];
    readonly strategies: readonly string[];
    readonly repeats: number;
    readonly judges: readonly string[];
    readonly judgePrices: JudgePrices;
  },
  prices: Prices,
  isFinished: (arm: string, task: string, repeat: number) => boolean,
): Remaining {
  let [runs, lowNanoUsd, highNanoUsd] = [0, 0, 0];
  const arms = [...singleModels(panel).map(singleArm), ...strategies];
  const usual = sumOf(judges.map((judge) => judgePrices(judge, [])));
  for (const { id, kind, isOpen } of tasks) {
    for (let repeat = 1; repeat <= repeats; repeat += 1) {
      const left = arms.filter((arm) => !isFinished(arm, id, repeat));
      const costs = left.map((arm) => prices.of(arm, kind));
      const ofStrategies = left.filter((arm) => strategies.includes(arm)).map((arm) => prices.of(arm, kind));
      runs += left.length;
      const judgements = isOpen && left.length > 0 ? strategies.length + Number(repeat === 1) : 0;
      const beside = isOpen ? NOTHING : dearest(ofStrategies);
      lowNanoUsd += sumOf(costs).lowNanoUsd + beside.lowNanoUsd + judgements * usual.lowNanoUsd;
      highNanoUsd += sumOf(costs).highNanoUsd + beside.highNanoUsd + judgements * usual.highNanoUsd;
    }
  }
  return { runs, price: { lowNanoUsd, highNanoUsd } };
}

const NOTHING: Price = { lowNanoUsd: 0, highNanoUsd: 0 };

function sumOf(prices: readonly Price[]): Price {
  return prices.reduce(
    (sum, price) => ({
      lowNanoUsd: sum.lowNanoUsd + price.lowNanoUsd,
      highNanoUsd: sum.highNanoUsd + price.highNanoUsd,
    }),
    NOTHING,
  );
}

function dearest(prices: readonly Price[]): Price {
  return {
    lowNanoUsd: Math.max(0, ...prices.map(({ lowNanoUsd }) => lowNanoUsd)),
    highNanoUsd: Math.max(0, ...prices.map(({ highNanoUsd }) => highNanoUsd)),
  };
}
