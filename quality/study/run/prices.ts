import { samplesArm, singleArm } from '../finished-run.ts';
import type { Client, Plan } from '../service/client.ts';
import type { StudyTask } from '../study-task.ts';
import { type ExternalArm, type Panel, requestOf, singleModels } from './arms.ts';

/** The range of a run's cost, nano-USD. */
interface Price {
  readonly lowNanoUsd: number;
  readonly highNanoUsd: number;
}

/** Ranges of cost by arm and kind of task. */
export interface Prices {
  of(arm: string, kind: string): Price;
  /** Models whose price is not known. */
  readonly unpricedModels: readonly string[];
}

const NANO = 1e9;

/** The arms and tasks that are to have prices. */
interface Priced extends Panel {
  readonly tasks: readonly StudyTask[];
  readonly strategies: readonly string[];
  readonly external: readonly ExternalArm[];
  /** The price of a call whose server tells none, nano-USD. */
  readonly callNanoUsd: number;
}

/** Asks the service's own plans: of each arm, for the longest prompt of each kind. Nothing is called. External arms have none. */
export async function askPrices(client: Client, priced: Priced): Promise<Prices> {
  const { tasks, strategies, callNanoUsd, ...panel } = priced;
  const models = singleModels(panel);
  const call = { lowNanoUsd: callNanoUsd, highNanoUsd: callNanoUsd };
  const prices = new Map<string, Price>();
  const unpriced = new Set<string>();
  for (const { kind, prompt, documents } of longestOfKinds(tasks)) {
    for (const arm of [...models.map(singleArm), ...strategies]) {
      const plan = await client.plan(requestOf(arm, panel, documents), prompt);
      prices.set(`${arm} ${kind}`, priceOf(plan));
      for (const model of plan.unpricedModels ?? []) unpriced.add(model);
    }
    for (const model of models) {
      const price = prices.get(`${singleArm(model)} ${kind}`);
      if (price) prices.set(`${samplesArm(model)} ${kind}`, price);
    }
  }
  return { of: (arm, kind) => prices.get(`${arm} ${kind}`) ?? call, unpricedModels: [...unpriced].sort() };
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

/** The range of cost of a judgement of texts of so many characters. */
export type JudgePrices = (judge: string, texts: readonly number[]) => Price;

/** The service's own words to a judge, in characters. */
const RUBRIC_CHARACTERS = 6_000;
const USUAL_CHARACTERS = 20_000;
/** Both orders. */
const READINGS = 2;
/** A reading that cannot be used is asked for once more. */
const REPAIRED = 2;

/** Asks for the plan of one call to each judge with a text of usual length; a longer one costs as many times more at most. */
export async function askJudgePrices(client: Client, judges: readonly string[]): Promise<JudgePrices> {
  const plans = new Map<string, Plan['costUsd']>();
  for (const judge of judges) {
    const { costUsd } = await client.plan({ model: judge, ai_ensemble: {} }, 'word '.repeat(USUAL_CHARACTERS / 5));
    plans.set(judge, costUsd);
  }
  return (judge, texts) => {
    const { low = 0, high = 0 } = plans.get(judge) ?? {};
    const characters = texts.reduce((sum, length) => sum + length, RUBRIC_CHARACTERS);
    // A verdict on two texts is about as long as a plan takes an answer to be.
    const times = Math.max(1, characters / USUAL_CHARACTERS) * Math.ceil(texts.length / 2);
    return {
      lowNanoUsd: Math.round(READINGS * low * NANO),
      highNanoUsd: Math.ceil(READINGS * REPAIRED * high * times * NANO),
    };
  };
}

/** The runs that a study has yet to play, and their price. */
export interface Remaining {
  readonly runs: number;
  readonly price: Price;
}

interface ToForecast extends Priced {
  readonly repeats: number;
  readonly judges: readonly string[];
  readonly judgePrices: JudgePrices;
}

/**
 * Runs, and what they are to cost, without those that are finished. Samples are to cost as much as the dearest strategy; open
 * questions have judges in their place.
 */
export function forecast(
  { tasks, strategies, external, repeats, judges, judgePrices, ...panel }: ToForecast,
  prices: Prices,
  isFinished: (arm: string, task: string, repeat: number) => boolean,
): Remaining {
  let [runs, lowNanoUsd, highNanoUsd] = [0, 0, 0];
  const others = external.map(({ name }) => name);
  const arms = [...singleModels(panel).map(singleArm), ...strategies, ...others];
  const usual = sumOf(judges.map((judge) => judgePrices(judge, [])));
  for (const { id, kind, isOpen, documents } of tasks) {
    for (let repeat = 1; repeat <= repeats; repeat += 1) {
      const left = (documents ? strategies : arms).filter((arm) => !isFinished(arm, id, repeat));
      const costs = left.map((arm) => prices.of(arm, kind));
      const ofStrategies = left.filter((arm) => strategies.includes(arm)).map((arm) => prices.of(arm, kind));
      runs += left.length;
      const judgements = isOpen && left.length > 0 ? strategies.length + others.length + Number(repeat === 1) : 0;
      const beside = isOpen || documents ? NOTHING : dearest(ofStrategies);
      lowNanoUsd += sumOf(costs).lowNanoUsd + beside.lowNanoUsd + judgements * usual.lowNanoUsd;
      highNanoUsd += sumOf(costs).highNanoUsd + beside.highNanoUsd + judgements * usual.highNanoUsd;
    }
  }
  return { runs, price: { lowNanoUsd, highNanoUsd } };
}

const NOTHING: Price = { lowNanoUsd: 0, highNanoUsd: 0 };

function sumOf(prices: readonly Price[]): Price {
  return foldOf(prices, (sum, price) => sum + price);
}

function dearest(prices: readonly Price[]): Price {
  return foldOf(prices, Math.max);
}

function foldOf(prices: readonly Price[], fold: (one: number, other: number) => number): Price {
  return prices.reduce(
    (one, other) => ({
      lowNanoUsd: fold(one.lowNanoUsd, other.lowNanoUsd),
      highNanoUsd: fold(one.highNanoUsd, other.highNanoUsd),
    }),
    NOTHING,
  );
}
