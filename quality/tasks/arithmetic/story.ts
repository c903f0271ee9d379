import type { SeededRandom } from '../seeded-random.ts';
import { STEP_MAKERS, type Step } from './steps.ts';

/** People who have so many of one thing each, and what happens to it. */
export interface Story {
  readonly names: readonly string[];
  readonly thing: string;
  readonly start: readonly number[];
  readonly steps: readonly Step[];
}

const NAMES = ['Ann', 'Ben', 'Carla', 'David', 'Emma', 'Felix', 'Greta', 'Hugo', 'Ines', 'Jonas', 'Karin', 'Leo'];
const THINGS = ['apples', 'stamps', 'marbles', 'tickets', 'shells', 'postcards', 'candles', 'bricks', 'roses', 'coins'];
/** Amounts beyond that make sums long rather than hard. */
const AMOUNT_MAX = 2_000;
const TRIES = 200;

/** A story of `people` and `steps`, in which all amounts stay whole. */
export function makeStory(random: SeededRandom, size: { readonly people: number; readonly steps: number }): Story {
  const names = random.sample(NAMES, size.people);
  const thing = random.pick(THINGS);
  const start = names.map(() => 6 * random.between(4, 16));
  const steps: Step[] = [];
  let amounts = start;
  for (let tries = 0; steps.length < size.steps && tries < TRIES; tries += 1) {
    const step = random.pick(STEP_MAKERS)(random, { names, thing, amounts });
    if (step === undefined || step.kind === steps.at(-1)?.kind) continue;
    const after = step.apply(amounts);
    if (after.some((amount) => amount < 2 || amount > AMOUNT_MAX)) continue;
    steps.push(step);
    amounts = after;
  }
  return { names, thing, start, steps };
}

/** What everybody has in the end. */
export function amountsAfter(story: Story, steps = story.steps): readonly number[] {
  return steps.reduce<readonly number[]>((amounts, step) => step.apply(amounts), story.start);
}

/** The story in sentences. */
export function tell({ names, thing, start, steps }: Story): string {
  const beginning = names.map((name, at) => `${name} has ${start[at]} ${thing}.`);
  return [...beginning, ...steps.map(({ says }) => says)].join(' ');
}
