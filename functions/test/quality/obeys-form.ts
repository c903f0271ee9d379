type Obeys = (lines: readonly string[], found: readonly string[]) => boolean;

const words = (line: string): string[] => line.split(' ');
const sorted = (list: readonly string[]): string => JSON.stringify([...list].sort());

/** What each demand for a form says, and whether lines of text do it; apart from what made the demand. */
const DEMANDS: readonly (readonly [RegExp, Obeys])[] = [
  [
    /exactly (\d) lines, each of exactly (\d) words/,
    (lines, [count, each]) =>
      lines.length === Number(count) && lines.every((line) => words(line).length === Number(each)),
  ],
  [
    /one sentence of exactly (\d+) words, all in capital letters, with the word "(\w+)" in it, whose last word is "(\w+)"/,
    ([line = '', ...rest], [count, inside = '', last]) =>
      rest.length === 0 &&
      !/[a-z]/.test(line) &&
      words(line).length === Number(count) &&
      words(line).includes(inside) &&
      words(line).at(-1) === `${last}.`,
  ],
  [
    /^(\w+) has bought these things: ([\w, ]+)\. Reply with one JSON object/,
    (lines, [name, things = '']) => {
      const { items, ...rest } = JSON.parse(lines.join('\n'));
      return (
        JSON.stringify(items) === sorted(things.split(', ')) &&
        Object.keys(rest).length === 2 &&
        rest.name === name &&
        rest.count === items.length
      );
    },
  ],
  [
    /^Write (\d) different English words.* the letter "(\w)".*The first is "(\w+)"/,
    (lines, [count, letter = '', first]) =>
      new Set(lines).size === Number(count) &&
      lines.join('') === lines.toSorted().join('') &&
      lines.every((line) => line.length > 3 && !line.includes(letter)) &&
      lines[0] === first,
  ],
  [
    /spell the word "(\w+)".*exactly (\d) words.*last word of all is "(\w+)"/,
    (lines, [spelt, each, last = '']) =>
      lines.map((line) => line[0]).join('') === spelt &&
      lines.every((line) => words(line).length === Number(each)) &&
      !/[^a-z \n]/.test(lines.join('\n')) &&
      words(lines.at(-1) ?? '').at(-1) === last,
  ],
];

/** Whether a text does what the prompt of a form task demands. */
export function obeysForm(prompt: string, text: string): boolean {
  if (prompt.includes('coins')) return JSON.stringify(JSON.parse(text)) === coinsJson(prompt);
  const demand = DEMANDS.find(([pattern]) => pattern.test(prompt));
  const [, ...found] = demand?.[0].exec(prompt) ?? [];
  return demand?.[1](text.split('\n'), found) === true;
}

function coinsJson(prompt: string): string {
  const people = [...prompt.matchAll(/(\w+) has (\d+) coins\./g)].map(([, name = '', coins]) => ({
    name,
    coins: Number(coins),
  }));
  people.sort((one, other) => one.name.localeCompare(other.name));
  people.sort((one, other) => other.coins - one.coins);
  const names = (rest: number): string[] => people.filter(({ coins }) => coins % 2 === rest).map(({ name }) => name);
  return JSON.stringify({ even: names(0), odd: names(1), total: people.reduce((sum, { coins }) => sum + coins, 0) });
}
