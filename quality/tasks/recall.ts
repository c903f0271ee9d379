import { type Checked, type Difficulty, itemOf, type TaskMaker } from './task.ts';

/** A list that is known well and does not change, in an order of its own. */
interface FactList {
  readonly items: readonly string[];
  /** The question for a stretch of the list, by its first and last place, from 0. */
  ask(first: number, last: number): string;
}

/** The items of a list, and how much else was written. */
interface ReadList {
  /** In small letters, without bullets and numbers. */
  readonly items: readonly string[];
  /** Lines that are no items: an introduction, a remark. */
  readonly otherLines: number;
}

/** Numbers of items that are asked for. */
const LENGTHS: Readonly<Record<Difficulty, readonly number[]>> = { 1: [3, 4], 2: [5, 6, 7], 3: [8, 9, 10] };
const CHARACTERS_READ = 20_000;
const ITEM_CHARACTERS_MAX = 40;
const BULLET = /^(?:[-*•–]|\(?\d{1,3}[.):]|\d{1,3} -)\s+/;
const MARKS = /[*_`"“”]/g;
/** A remark behind an item: its symbol, its number, a word about it. */
const REMARK = /\s*(?:\(.*\)|\[.*\]|[:,;–—] .*| - .*)$/;

export const ELEMENTS = [
  ...['hydrogen', 'helium', 'lithium', 'beryllium', 'boron', 'carbon', 'nitrogen', 'oxygen', 'fluorine', 'neon'],
  ...['sodium', 'magnesium', 'aluminium', 'silicon', 'phosphorus', 'sulfur', 'chlorine', 'argon', 'potassium'],
  ...['calcium', 'scandium', 'titanium', 'vanadium', 'chromium', 'manganese', 'iron', 'cobalt', 'nickel', 'copper'],
  ...['zinc', 'gallium', 'germanium', 'arsenic', 'selenium', 'bromine', 'krypton', 'rubidium', 'strontium', 'yttrium'],
  ...['zirconium', 'niobium', 'molybdenum', 'technetium', 'ruthenium', 'rhodium', 'palladium', 'silver', 'cadmium'],
  ...['indium', 'tin', 'antimony', 'tellurium', 'iodine', 'xenon'],
];
export const SPELLING = [
  ...['alfa', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf', 'hotel', 'india', 'juliett', 'kilo', 'lima'],
  ...['mike', 'november', 'oscar', 'papa', 'quebec', 'romeo', 'sierra', 'tango', 'uniform', 'victor', 'whiskey'],
  ...['x-ray', 'yankee', 'zulu'],
];
export const STATES = [
  ...['alabama', 'alaska', 'arizona', 'arkansas', 'california', 'colorado', 'connecticut', 'delaware', 'florida'],
  ...['georgia', 'hawaii', 'idaho', 'illinois', 'indiana', 'iowa', 'kansas', 'kentucky', 'louisiana', 'maine'],
  ...['maryland', 'massachusetts', 'michigan', 'minnesota', 'mississippi', 'missouri', 'montana', 'nebraska'],
  ...['nevada', 'new hampshire', 'new jersey', 'new mexico', 'new york', 'north carolina', 'north dakota', 'ohio'],
  ...['oklahoma', 'oregon', 'pennsylvania', 'rhode island', 'south carolina', 'south dakota', 'tennessee', 'texas'],
  ...['utah', 'vermont', 'virginia', 'washington', 'west virginia', 'wisconsin', 'wyoming'],
];
const LISTS: readonly FactList[] = [
  {
    items: ELEMENTS,
    ask: (first, last) => `the chemical elements with the atomic numbers from ${first + 1} to ${last + 1}`,
  },
  {
    items: SPELLING,
    ask: (first, last) =>
      `the words of the NATO spelling alphabet for the letters from ${letter(first)} to ${letter(last)}`,
  },
  {
    items: STATES,
    ask: (first, last) =>
      `the states of the United States that have the numbers ${first + 1} to ${last + 1} when all 50 are sorted by the alphabet`,
  },
];
/** Other spellings of the same. */
const SAME: Readonly<Record<string, string>> = {
  ...{ aluminum: 'aluminium', sulphur: 'sulfur' },
  ...{ alpha: 'alfa', juliet: 'juliett', xray: 'x-ray', whisky: 'whiskey' },
};

/** A stretch of a list that is known well: right when all of it is there and nothing else. */
export const recallTask: TaskMaker = (order) => {
  const stretches = LISTS.flatMap((list) =>
    LENGTHS[order.difficulty].flatMap((length) =>
      Array.from({ length: list.items.length - length + 1 }, (_, first) => ({ list, first, length })),
    ),
  );
  const { list, first, length } = itemOf(order, stretches);
  const { items } = list;
  const right = items.slice(first, first + length);
  const before = items.at(first - 1) ?? '';
  const behind = items[(first + length) % items.length] ?? '';
  return {
    prompt: `List ${list.ask(first, first + length - 1)}, ${length} in all.\n\nWrite one name a line, in that order, and nothing else: no numbers, no remarks.`,
    expected: lines(right),
    wrong: [[...right.slice(1), behind], [before, ...right.slice(0, -1)], right.slice(0, -1)].map(lines),
    check: async (answer) => checked(right, answer),
  };
};

function letter(at: number): string {
  return String.fromCharCode(65 + at);
}

function lines(items: readonly string[]): string {
  return items.map((item) => item.replace(/(?<![\p{L}'])\p{L}/gu, (first) => first.toUpperCase())).join('\n');
}

function checked(right: readonly string[], answer: string): Checked {
  const { items, otherLines } = readList(answer);
  const named = items.map((item) => (right.includes(item) ? item : (SAME[item] ?? item)));
  const falseFacts = new Set(named.filter((item) => !right.includes(item))).size;
  // For the form nothing was to stand beside a name.
  const bare = answer
    .trim()
    .split('\n')
    .map((line) => line.trim().toLowerCase());
  return {
    isRight: falseFacts === 0 && right.every((item) => named.includes(item)),
    hasForm: otherLines === 0 && items.length === right.length && items.every((item, at) => bare[at] === item),
    falseFacts,
    comesTo: [...new Set(named)].sort().join('\n'),
  };
}

/** The items of a list with one item a line. */
export function readList(answer: string): ReadList {
  const items: string[] = [];
  let otherLines = 0;
  for (const line of answer.slice(0, CHARACTERS_READ).split('\n')) {
    const bare = line.slice(0, 200).replace(MARKS, '').trim();
    if (bare === '' || bare === '---') continue;
    const unmarked = bare.replace(BULLET, '').replace(REMARK, '');
    const item = unmarked
      .replace(/[.,;]+$/, '')
      .trim()
      .toLowerCase();
    if (bare.endsWith(':') || item === '' || item.length > ITEM_CHARACTERS_MAX) otherLines += 1;
    else items.push(item);
  }
  return { items, otherLines };
}
