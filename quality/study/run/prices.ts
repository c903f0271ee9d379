import { samplesArm, singleArm } from '../finished-run.ts';
import type { Client, Plan } from '../service/client.ts';
import type { StudyTask } from '../study-task.ts';
import { type Panel, requestOf, singleModels } from './arms.ts';

/** What a run may cost, nano-USD. */
export interface Price {
  readonly lowNanoUsd: number;
  readonly highNanoUsd: number;
}

/** What the runs of a study may cost, by arm and kind of task. */
export interface Prices {
  of(arm: string, kind: string): Price;
  readonly unpricedModels: readonly string[];
}

const NANO = 1e9;

/** Asks the service's own plans: of each arm, for the longest prompt of each kind. Nothing is called. */
export async function askPrices(
  client: Client,
  {
    tasks,
    strategies,
    ...panel
  }: Panel & { readonly tasks: readonly StudyTask[]; readonly strategies: readonly string[] },
): Promise<Prices> {
  const models = singleModels(panel);
  const prices = new Map<string, Price>();
  const unpriced = new Set<string>();
  for (const { kind, prompt } of longestOfKinds(tasks)) {
    for (const arm of [...models.map(singleArm), ...strategies]) {
      const plan = await client.plan(requestOf(arm, panel), prompt);
      prices.set(`${arm} ${kind}`, priceOf(plan));
      for (const model of plan.unpricedModels ?? []) unpriced.add(model);
    }
    for (const model of models) {
      const price = prices.get(`${singleArm(model)} ${kind}`);
      if (price) prices.set(`${samplesArm(model)} ${kind}`, price);
    }
  }
  const none = { lowNanoUsd: 0, highNanoUsd: 0 };
  return { of: (arm, kind) => prices.get(`${arm} ${kind}`) ?? none, unpricedModels: [...unpriced].sort() };
}

function longestOfKinds(tasks: readonly StudyTask[]): StudyTask[] {
  const kinds = Map.groupBy(tasks, ({ kind }) => kind);
  return [...kinds.values()].flatMap((ofKind) =>
    ofKind.toSorted((a, b) => b.prompt.length - a.prompt.length).slice(0, 1),
  );
}

function priceOf({ costUsd }: Plan): Price {
  return { lowNanoUsd: Math.round(costUsd.low * NANO), highNanoUsd: Math.ceil(costUsd.high * NANO) };
}
