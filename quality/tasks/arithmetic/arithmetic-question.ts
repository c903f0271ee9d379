import type { Question } from '../question.ts';
import { readNumber } from '../reading/read-number.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { Difficulty } from '../task.ts';
import { amountsAfter, makeStory, type Story, tell } from './story.ts';

/** What is asked in the end. */
interface Ending {
  readonly asks: string;
  count(amounts: readonly number[]): number;
}

type EndingMaker = (random: SeededRandom, story: Story) => Ending;

interface Level {
  readonly people: number;
  readonly steps: number;
  readonly endings: readonly EndingMaker[];
}

const LEVELS: Readonly<Record<Difficulty, Level>> = {
  1: { people: 2, steps: 3, endings: [howMany] },
  2: { people: 2, steps: 5, endings: [together, atAPrice, inBoxes] },
  3: { people: 3, steps: 9, endings: [spread, allAtAPrice, inBoxes] },
};
const WRONG_COUNT = 3;

/** A story in several steps, and a question about how it ends. */
export function arithmeticQuestion(random: SeededRandom, difficulty: Difficulty): Question {
  const { endings, ...size } = LEVELS[difficulty];
  const story = makeStory(random, size);
  const ending = random.pick(endings)(random, story);
  const right = ending.count(amountsAfter(story));
  const words = ending.asks.replace(/[^a-z ]/gi, '').split(' ');
  return {
    text: `${tell(story)} ${ending.asks}`,
    form: 'the number, in digits',
    right: String(right),
    wrong: slips(story, ending, right).map(String),
    read: (value) => readNumber(value, words),
  };
}

function howMany(random: SeededRandom, { names, thing }: Story): Ending {
  const who = random.below(names.length);
  return {
    asks: `How many ${thing} does ${names[who]} have in the end?`,
    count: (amounts) => amounts[who] ?? 0,
  };
}

function together(_: SeededRandom, { names, thing }: Story): Ending {
  return { asks: `How many ${thing} do ${names.join(' and ')} have together in the end?`, count: sum };
}

function spread(_: SeededRandom, { thing }: Story): Ending {
  return {
    asks: `In the end, how many more ${thing} has the person with the most than the person with the fewest?`,
    count: (amounts) => Math.max(...amounts) - Math.min(...amounts),
  };
}

function atAPrice(random: SeededRandom, { names }: Story): Ending {
  const who = random.below(names.length);
  const cents = random.between(3, 19);
  return {
    asks: `In the end, ${names[who]} sells everything for ${cents} cents apiece. How many cents does ${names[who]} get?`,
    count: (amounts) => cents * (amounts[who] ?? 0),
  };
}

function allAtAPrice(random: SeededRandom): Ending {
  const cents = random.between(11, 49);
  return {
    asks: `In the end, all three sell everything for ${cents} cents apiece. How many cents do they get together?`,
    count: (amounts) => cents * sum(amounts),
  };
}

function inBoxes(random: SeededRandom, { thing }: Story): Ending {
  const each = random.between(4, 9);
  return {
    asks: `In the end, they put all their ${thing} together into boxes that hold ${each} each. How many boxes do they need?`,
    count: (amounts) => Math.ceil(sum(amounts) / each),
  };
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

/** What somebody gets who overlooks one step, the later ones first, or is off by a little. */
function slips(story: Story, ending: Ending, right: number): number[] {
  const overlooked = story.steps
    .map((skipped) =>
      ending.count(
        amountsAfter(
          story,
          story.steps.filter((step) => step !== skipped),
        ),
      ),
    )
    .reverse();
  const near = [right + 1, right + 10, right + 2];
  const wrong = [...overlooked, ...near].filter((value) => value >= 0 && value !== right);
  return [...new Set(wrong)].slice(0, WRONG_COUNT);
}
