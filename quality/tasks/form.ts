import type { SeededRandom } from './seeded-random.ts';
import type { Difficulty, TaskMaker } from './task.ts';

/** A form to be kept to the letter, and the test of it. */
interface Demand {
  readonly prompt: string;
  readonly expected: string;
  readonly wrong: readonly string[];
  /** True if a text that is trimmed obeys. */
  obeys(text: string): boolean;
}

const CHARACTERS_READ = 20_000;
/** Words by their first letter. */
const WORDS = Map.groupBy(
  (
    'apple arrow album bridge basket butter castle candle copper dragon desert dinner eagle engine evening forest finger ' +
    'feather garden guitar glass harbor hammer honey island insect iron kitchen kettle kite lantern ladder lemon mirror ' +
    'market meadow needle number nest ocean orange oven pencil pillow planet river rocket ribbon silver summer saddle ' +
    'table tunnel timber uncle umbrella unit valley velvet village window winter wagon yellow yard yarn'
  ).split(' '),
  (word) => word.charAt(0),
);
const ALL_WORDS = [...WORDS.values()].flat();
/** Words whose letters all begin one of the words above, to be spelt by lines. */
const SPELT = 'bread cloud dream grape house light mouse night ocean piano river sugar train water'.split(' ');
const NAMES = 'Ada Bruno Carla Dario Elif Farid Greta Hugo Ines Jonas Kaya Leon'.split(' ');
const MAKERS: Readonly<Record<Difficulty, (random: SeededRandom) => Demand>> = {
  1: countedLines,
  2: jsonOnly,
  3: acrostic,
};

/** Obedience to a form that a program can check to the letter: right is what keeps it. */
export const formTask: TaskMaker = ({ difficulty }, random) => {
  const { obeys, ...task } = MAKERS[difficulty](random);
  return {
    ...task,
    check: async (answer) => {
      const isRight = answer.length <= CHARACTERS_READ && obeys(answer.trim());
      return { isRight, hasForm: isRight, falseFacts: 0 };
    },
  };
};

function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.trim());
}

/** So many lines of so many words each. */
function countedLines(random: SeededRandom): Demand {
  const [lines, words] = [random.between(2, 6), random.between(3, 7)];
  const text = (count: number, each: number): string =>
    Array.from({ length: count }, () => random.sample(ALL_WORDS, each).join(' ')).join('\n');
  return {
    prompt: `Write about ${random.pick(ALL_WORDS)} and ${random.pick(ALL_WORDS)}: exactly ${lines} lines, each of exactly ${words} words. No empty lines, no title, nothing before or after.`,
    expected: text(lines, words),
    wrong: [text(lines + 1, words), text(lines, words + 1), `Here are ${lines} lines:\n${text(lines, words)}`],
    obeys: (given) => {
      const found = linesOf(given);
      return found.length === lines && found.every((one) => one !== '' && one.split(/\s+/).length === words);
    },
  };
}

/** An object of JSON with sorted lists, and nothing around it. */
function jsonOnly(random: SeededRandom): Demand {
  const names = random.sample(NAMES, random.between(3, 5));
  const people = names.map((name) => ({ name, count: random.between(1, 40) }));
  const split = (isEven: boolean): string[] =>
    people
      .filter(({ count }) => (count % 2 === 0) === isEven)
      .toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
      .map(({ name }) => name);
  const total = people.reduce((sum, { count }) => sum + count, 0);
  const right = { even: split(true), odd: split(false), total };
  const wrong = [
    { ...right, total: total + 1 },
    { even: right.odd, odd: right.even, total },
    { ...right, even: [...right.even, 'Nobody'] },
  ].map((one) => JSON.stringify(one));
  return {
    prompt: `${people.map(({ name, count }) => `${name} has ${count} coins.`).join(' ')} Reply with one JSON object and nothing else, not even a code fence. It has exactly three fields: "even", the list of the names of those with an even number of coins; "odd", the list of the others; "total", all coins as a number. In both lists who has more coins comes first, and of those with equally many the name that comes first in the alphabet.`,
    expected: JSON.stringify(right),
    wrong: [...wrong, `Here it is: ${JSON.stringify(right)}`],
    obeys: (given) => sameJson(given, right),
  };
}

/** Lines whose first letters spell a word, each of so many words. */
function acrostic(random: SeededRandom): Demand {
  const spelt = random.pick(SPELT);
  const words = random.between(3, 6);
  const last = random.pick(ALL_WORDS);
  const lines = [...spelt].map((first, at) => {
    const end = at === spelt.length - 1 ? last : random.pick(ALL_WORDS);
    return [random.pick(WORDS.get(first) ?? []), ...random.sample(ALL_WORDS, words - 2), end].join(' ');
  });
  return {
    prompt: `Write ${spelt.length} lines whose first letters spell the word "${spelt}", from above to below. Each line has exactly ${words} words and no punctuation, and all is in small letters. The last word of all is "${last}". Write nothing else.`,
    expected: lines.join('\n'),
    wrong: [lines.toReversed().join('\n'), lines.map((one) => `${one} too`).join('\n'), `${lines.join('.\n')}.`],
    obeys: (given) => {
      const found = linesOf(given);
      return (
        found.map((one) => one.charAt(0)).join('') === spelt &&
        given.endsWith(` ${last}`) &&
        found.every((one) => /^[a-z ]+$/.test(one) && one.split(/ +/).length === words)
      );
    },
  };
}

/** True if a text is this value and nothing else; the order of fields does not matter. */
function sameJson(text: string, value: object): boolean {
  const inOrder = (given: unknown): string =>
    JSON.stringify(Object.entries(given ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  try {
    return inOrder(JSON.parse(text)) === inOrder(value);
  } catch {
    return false;
  }
}
