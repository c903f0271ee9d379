import { differing, type Question } from './answer-line-task.ts';
import { readNumber } from './reading/read-number.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { Difficulty } from './task.ts';

type Amounts = readonly number[];

/** An event that changes who has how many; whole numbers whatever is given, as for a reader who has slipped before. */
interface Step {
  readonly says: string;
  apply(amounts: Amounts): number[];
}

/** Two of the people, and the thing that they have. */
interface Scene {
  readonly who: number;
  readonly other: number;
  readonly name: string;
  readonly otherName: string;
  readonly thing: string;
}

interface Ending {
  readonly asks: string;
  count(amounts: Amounts): number;
}

const NAMES = ['Ann', 'Ben', 'Carla', 'David', 'Emma', 'Felix', 'Greta', 'Hugo', 'Ines', 'Jonas', 'Karin', 'Leo'];
const THINGS = ['apples', 'stamps', 'marbles', 'tickets', 'shells', 'postcards', 'candles', 'bricks', 'roses', 'coins'];
const LEVELS: Readonly<Record<Difficulty, { readonly people: number; readonly steps: number }>> = {
  1: { people: 2, steps: 3 },
  2: { people: 2, steps: 5 },
  3: { people: 3, steps: 9 },
};
const PARTS = [
  { word: 'half', of: 2 },
  { word: 'a third', of: 3 },
  { word: 'a quarter', of: 4 },
] as const;
/** Amounts beyond that make sums long rather than hard. */
const AMOUNT_MAX = 2_000;

const STEP_MAKERS: readonly ((random: SeededRandom, scene: Scene) => Step)[] = [buys, gives, givesPart, catchesUp];

/** A story in several steps, and a question about how it ends. */
export function arithmeticQuestion(random: SeededRandom, difficulty: Difficulty): Question {
  const { people, steps: count } = LEVELS[difficulty];
  const names = random.sample(NAMES, people);
  const thing = random.pick(THINGS);
  const start = names.map(() => 12 * random.between(2, 8));
  const steps = makeSteps(random, { names, thing, start, count });
  const ending = endingOf(random, { difficulty, names, thing });
  const after = (made: readonly Step[]): number =>
    ending.count(made.reduce<Amounts>((amounts, step) => step.apply(amounts), start));
  const right = after(steps);
  // Whoever overlooks one step, the later ones first, or is off by a little.
  const slips = steps.map((skipped) => after(steps.filter((step) => step !== skipped))).reverse();
  const beginning = names.map((name, at) => `${name} has ${start[at]} ${thing}.`);
  return {
    text: [...beginning, ...steps.map(({ says }) => says), ending.asks].join(' '),
    form: 'the number, in digits',
    right: String(right),
    wrong: differing(right, [...slips, right + 1, right + 10, right + 2]).map(String),
    read: (value) => readNumber(value, ending.asks.replace(/[^a-z ]/gi, '').split(' ')),
  };
}

/** Steps in which all amounts stay whole and small. */
function makeSteps(
  random: SeededRandom,
  story: {
    readonly names: readonly string[];
    readonly thing: string;
    readonly start: Amounts;
    readonly count: number;
  },
): Step[] {
  const { names, thing, start, count } = story;
  const steps: Step[] = [];
  let amounts = start;
  while (steps.length < count) {
    const [who = 0, other = 0] = random.shuffle([...names.keys()]);
    const scene = { who, other, name: names[who] ?? '', otherName: names[other] ?? '', thing };
    const step = random.pick(STEP_MAKERS)(random, scene);
    const after = step.apply(amounts);
    if (after.some((amount) => amount < 2 || amount > AMOUNT_MAX || !Number.isInteger(amount))) continue;
    steps.push({ ...step, apply: (given) => step.apply(given).map(Math.floor) });
    amounts = after;
  }
  return steps;
}

function buys(random: SeededRandom, { who, name, thing }: Scene): Step {
  const bags = random.between(2, 9);
  const each = random.between(3, 12);
  return {
    says: `${name} buys ${bags} bags with ${each} ${thing} in each bag.`,
    apply: (amounts) => changed(amounts, { [who]: bags * each }),
  };
}

function gives(random: SeededRandom, { who, other, name, otherName, thing }: Scene): Step {
  const count = random.between(3, 40);
  return {
    says: `${name} gives ${count} ${thing} to ${otherName}.`,
    apply: (amounts) => changed(amounts, { [who]: -count, [other]: count }),
  };
}

function givesPart(random: SeededRandom, { who, other, name, otherName, thing }: Scene): Step {
  const { word, of } = random.pick(PARTS);
  return {
    says: `${name} then gives ${word} of all the ${thing} that ${name} has to ${otherName}.`,
    apply: (amounts) => {
      const part = (amounts[who] ?? 0) / of;
      return changed(amounts, { [who]: -part, [other]: part });
    },
  };
}

function catchesUp(_: SeededRandom, { who, other, name, otherName, thing }: Scene): Step {
  return {
    says: `${name} then buys as many ${thing} as ${otherName} has.`,
    apply: (amounts) => changed(amounts, { [who]: amounts[other] ?? 0 }),
  };
}

function changed(amounts: Amounts, by: Readonly<Record<number, number>>): number[] {
  return amounts.map((amount, at) => amount + (by[at] ?? 0));
}

function endingOf(
  random: SeededRandom,
  story: { readonly difficulty: Difficulty; readonly names: readonly string[]; readonly thing: string },
): Ending {
  const { difficulty, names, thing } = story;
  const sum = (amounts: Amounts): number => amounts.reduce((total, amount) => total + amount, 0);
  const who = random.below(names.length);
  const each = random.between(4, 9);
  if (difficulty === 1) {
    return {
      asks: `How many ${thing} does ${names[who]} have in the end?`,
      count: (amounts) => amounts[who] ?? 0,
    };
  }
  const boxes: Ending = {
    asks: `In the end, they put all their ${thing} together into boxes that hold ${each} each. How many boxes do they need?`,
    count: (amounts) => Math.ceil(sum(amounts) / each),
  };
  const spread: Ending = {
    asks: `In the end, how many more ${thing} has the person with the most than the person with the fewest?`,
    count: (amounts) => Math.max(...amounts) - Math.min(...amounts),
  };
  return random.pick([boxes, spread]);
}
