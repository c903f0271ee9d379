import type { SeededRandom } from '../seeded-random.ts';
import type { Checked, Difficulty, Task } from '../task.ts';
import { identityOf, type TaskOrder } from '../task-order.ts';
import { ALL_WORDS, NAMES, SPELT, WORDS } from './words.ts';

/** What is to be obeyed, and what shows whether it was. */
interface Demand {
  readonly prompt: string;
  readonly expected: string;
  readonly wrong: readonly string[];
  /** Whether a text that is trimmed obeys. */
  obeys(text: string): boolean;
}

const CHARACTERS_READ = 20_000;

const DEMANDS: Readonly<Record<Difficulty, readonly ((random: SeededRandom) => Demand)[]>> = {
  1: [countedLines, upperCase],
  2: [jsonOnly, withoutLetter],
  3: [acrostic, nestedJson],
};

/** Obedience to a form that a program can check to the letter: right is what keeps it. */
export function formTask(order: TaskOrder, random: SeededRandom): Task {
  const demand = random.pick(DEMANDS[order.difficulty])(random);
  return {
    ...identityOf(order),
    language: 'en',
    prompt: demand.prompt,
    expected: demand.expected,
    wrong: demand.wrong,
    check: async (answer) => checked(demand, answer),
  };
}

function checked({ obeys }: Demand, answer: string): Checked {
  const isRight = answer.length <= CHARACTERS_READ && obeys(answer.trim());
  return { isRight, hasForm: isRight, falseFacts: 0 };
}

/** So many lines of so many words each. */
function countedLines(random: SeededRandom): Demand {
  const [lines, words] = [random.between(2, 6), random.between(3, 7)];
  const line = (count: number): string => random.sample(ALL_WORDS, count).join(' ');
  const text = (count: number, each: number): string => Array.from({ length: count }, () => line(each)).join('\n');
  return {
    prompt: `Write about ${random.pick(ALL_WORDS)} and ${random.pick(ALL_WORDS)}: exactly ${lines} lines, each of exactly ${words} words. No empty lines, no title, nothing before or after.`,
    expected: text(lines, words),
    wrong: [text(lines + 1, words), text(lines, words + 1), `Here are ${lines} lines:\n${text(lines, words)}`],
    obeys: (given) => {
      const found = given.split('\n').map((one) => one.trim());
      return found.length === lines && found.every((one) => one !== '' && one.split(/\s+/).length === words);
    },
  };
}

/** One sentence in capital letters with a given word in it and another at its end. */
function upperCase(random: SeededRandom): Demand {
  const [last, other, inside] = random.sample(ALL_WORDS, 3) as [string, string, string];
  const count = random.between(5, 12);
  const sentence = (words: number, ending: string): string =>
    `${[
      inside,
      ...random.sample(
        ALL_WORDS.filter((word) => ![last, other, inside].includes(word)),
        words - 2,
      ),
      ending,
    ]
      .join(' ')
      .toUpperCase()}.`;
  return {
    prompt: `Write one sentence of exactly ${count} words, all in capital letters, with the word "${inside.toUpperCase()}" in it, whose last word is "${last.toUpperCase()}" and which ends with a full stop. Write nothing else.`,
    expected: sentence(count, last),
    wrong: [sentence(count, last).toLowerCase(), sentence(count + 1, last), sentence(count, other)],
    obeys: (given) => {
      const words = given.slice(0, -1).split(/\s+/);
      return (
        given === given.toUpperCase() &&
        given.endsWith(` ${last.toUpperCase()}.`) &&
        !given.includes('\n') &&
        words.length === count &&
        words.some((word) => word.replace(/\W+$/, '') === inside.toUpperCase())
      );
    },
  };
}

/** One JSON object with given values, and nothing around it. */
function jsonOnly(random: SeededRandom): Demand {
  const items = random.sample(ALL_WORDS, random.between(3, 5));
  const name = random.pick(NAMES);
  const right = { name, items: items.toSorted(), count: items.length };
  const wrong = [
    { ...right, items: items.toSorted().toReversed() },
    { ...right, count: items.length + 1 },
    { name, count: items.length, items: items.toSorted(), comment: '' },
  ];
  return {
    prompt: `${name} has bought these things: ${items.join(', ')}. Reply with one JSON object and nothing else, not even a code fence. It has exactly three fields: "name", the buyer; "items", the list of things sorted by the alphabet; "count", how many they are, as a number.`,
    expected: JSON.stringify(right),
    wrong: [...wrong.map((one) => JSON.stringify(one)), `Here it is: ${JSON.stringify(right)}`],
    obeys: (given) => sameJson(given, right),
  };
}

/** Different words in order, without one letter. */
function withoutLetter(random: SeededRandom): Demand {
  const letter = random.pick(['a', 'e', 'i', 'o', 'r', 'n']);
  const free = ALL_WORDS.filter((word) => !word.includes(letter));
  const count = random.between(4, 8);
  const chosen = random.sample(free, count).toSorted();
  const bad = random.pick(ALL_WORDS.filter((word) => word.includes(letter)));
  return {
    prompt: `Write ${count} different English words, one a line, sorted by the alphabet, in small letters, none of which contains the letter "${letter}". Each has at least four letters. The first is "${chosen[0]}". Write nothing else.`,
    expected: chosen.join('\n'),
    wrong: [
      [...chosen.slice(1), bad].toSorted().join('\n'),
      chosen.toReversed().join('\n'),
      chosen.slice(1).join('\n'),
    ],
    obeys: (given) => {
      const words = given.split('\n').map((one) => one.trim());
      const areWords = words.every((word) => /^[a-z]{4,30}$/.test(word) && !word.includes(letter));
      const isSorted = words.every((word, at) => at === 0 || (words[at - 1] ?? '') < word);
      return words.length === count && words[0] === chosen[0] && areWords && isSorted;
    },
  };
}

/** Lines whose first letters spell a word, each of so many words. */
function acrostic(random: SeededRandom): Demand {
  const spelt = random.pick(SPELT);
  const words = random.between(3, 6);
  const last = random.pick(ALL_WORDS);
  const line = (first: string, at: number): string =>
    [
      random.pick(WORDS[first] ?? []),
      ...random.sample(ALL_WORDS, words - 2),
      at === spelt.length - 1 ? last : random.pick(ALL_WORDS),
    ].join(' ');
  const lines = [...spelt].map(line);
  return {
    prompt: `Write ${spelt.length} lines whose first letters spell the word "${spelt}", from above to below. Each line has exactly ${words} words and no punctuation, and all is in small letters. The last word of all is "${last}". Write nothing else.`,
    expected: lines.join('\n'),
    wrong: [lines.toReversed().join('\n'), lines.map((one) => `${one} too`).join('\n'), `${lines.join('.\n')}.`],
    obeys: (given) => {
      const found = given.split('\n').map((one) => one.trim());
      const isSpelt = found.map((one) => one.charAt(0)).join('') === spelt;
      return (
        isSpelt &&
        given.endsWith(` ${last}`) &&
        found.every((one) => /^[a-z ]+$/.test(one) && one.split(/ +/).length === words)
      );
    },
  };
}

/** An object of lists, grouped and sorted. */
function nestedJson(random: SeededRandom): Demand {
  const names = random.sample(NAMES, random.between(3, 5));
  const counts = names.map(() => random.between(1, 40));
  const people = names.map((name, at) => ({ name, count: counts[at] ?? 0 }));
  const sorted = (list: typeof people) =>
    list.toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1)).map(({ name }) => name);
  const split = (isEven: boolean) => sorted(people.filter(({ count }) => (count % 2 === 0) === isEven));
  const total = counts.reduce((sum, count) => sum + count, 0);
  const right = { even: split(true), odd: split(false), total };
  const wrong = [
    { ...right, total: total + 1 },
    { even: right.odd, odd: right.even, total },
    { ...right, even: [...right.even, 'Nobody'] },
  ];
  return {
    prompt: `${people.map(({ name, count }) => `${name} has ${count} coins.`).join(' ')} Reply with one JSON object and nothing else, not even a code fence. It has exactly three fields: "even", the list of the names of those with an even number of coins; "odd", the list of the others; "total", all coins as a number. In both lists who has more coins comes first, and of those with equally many the name that comes first in the alphabet.`,
    expected: JSON.stringify(right),
    wrong: wrong.map((one) => JSON.stringify(one)),
    obeys: (given) => sameJson(given, right),
  };
}

/** Whether a text is this value and nothing else; the order of fields does not matter. */
function sameJson(text: string, value: object): boolean {
  try {
    return fieldsInOrder(JSON.parse(text)) === fieldsInOrder(value);
  } catch {
    return false;
  }
}

function fieldsInOrder(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  return JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
