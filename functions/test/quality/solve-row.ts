/** Finds every way in which the people of a puzzle may stand, from its words alone. */

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];
const THING = '(the person with \\w+|\\w+)';

/** What each thing's place says of a sentence. */
const RULES: readonly [
  RegExp,
  (places: readonly [number, number], words: readonly string[], last: number) => boolean,
][] = [
  [
    new RegExp(`^${THING} is not the (\\w+) from the left$`, 'i'),
    ([one], [, word = '']) => one !== ORDINALS.indexOf(word),
  ],
  [new RegExp(`^${THING} is at one of the two ends$`, 'i'), ([one], _, last) => one % last === 0],
  [new RegExp(`^${THING} is directly to the left of ${THING}$`, 'i'), ([one, other]) => other === one + 1],
  [new RegExp(`^${THING} is somewhere to the left of ${THING}$`, 'i'), ([one, other]) => one < other],
  [new RegExp(`^${THING} is next to ${THING}$`, 'i'), ([one, other]) => (one - other) ** 2 === 1],
  [
    new RegExp(`^${THING} and ${THING} are different people and are not next to each other$`, 'i'),
    ([one, other]) => (one - other) ** 2 > 1,
  ],
  [
    new RegExp(`^Exactly one person is between ${THING} and ${THING}$`, 'i'),
    ([one, other]) => (one - other) ** 2 === 4,
  ],
  [new RegExp(`^${THING} does not have (\\w+)$`, 'i'), ([one, other]) => one !== other],
];

/** Each solution as it is to be answered. */
export function solveRow(text: string): string[] {
  const people = /stand in a row: ([^.]+)\./.exec(text)?.[1]?.split(', ') ?? [];
  const drinks = /one of these drinks: ([^.]+)\./.exec(text)?.[1]?.split(', ') ?? [];
  const clues = [...text.matchAll(/^- (.+)\.$/gm)].map(([, clue = '']) => clueTest(clue, people.length - 1));
  const rows = permutations(people);
  const mixes = drinks.length === 0 ? [[]] : permutations(drinks);
  const solutions: string[] = [];
  for (const row of rows) {
    for (const mix of mixes) {
      const place = new Map([
        ...row.map((name, at) => [name.toLowerCase(), at] as const),
        ...mix.map((drink, at) => [drink, at] as const),
      ]);
      if (clues.every((holds) => holds(place)))
        solutions.push(row.map((name, at) => [name, mix[at]].filter(Boolean).join(' ')).join(', '));
    }
  }
  return solutions;
}

function clueTest(clue: string, last: number): (place: ReadonlyMap<string, number>) => boolean {
  const rule = RULES.find(([pattern]) => pattern.test(clue));
  if (!rule) throw new Error(`not understood: ${clue}`);
  const words = rule[0].exec(clue)?.slice(1) ?? [];
  const [one = '', other = ''] = words.map((word) => word.toLowerCase().replace('the person with ', ''));
  return (place) => rule[1]([place.get(one) ?? Number.NaN, place.get(other) ?? Number.NaN], words, last);
}

function permutations(items: readonly string[]): string[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((first) => permutations(items.filter((item) => item !== first)).map((rest) => [first, ...rest]));
}
