import { wordChanges } from './word-changes';

const LONG = 5_000;

describe('what has changed in a text', () => {
  it('is told word by word', () => {
    expect(wordChanges('A tomato is a fruit.', 'A tomato is a berry, and a fruit.')).toEqual([
      { text: 'A tomato is a ', is: 'same' },
      { text: 'berry, and a ', is: 'added' },
      { text: 'fruit.', is: 'same' },
    ]);
  });

  it('is both texts, whole, when the pieces are put together', () => {
    const [before, after] = ['One two three\n\nfour five', 'One 2 three four\n\nfive six'];
    const changes = wordChanges(before, after) ?? [];
    const textOf = (leftOut: string) =>
      changes
        .filter(({ is }) => is !== leftOut)
        .map(({ text }) => text)
        .join('');
    expect([textOf('added'), textOf('removed')]).toEqual([before, after]);
  });

  it('is not looked for where nearly everything has', () => {
    const texts = ['a', 'b'].map((letter) => Array.from({ length: LONG }, (_, at) => letter + at).join(' '));
    expect(wordChanges(texts[0] ?? '', texts[1] ?? '')).toBeUndefined();
  });
});

describe('the shortest way from one text to another', () => {
  it('is never longer than that of comparing each word with each, and always ends at the other', () => {
    for (let seed = 1; seed < 300; seed += 1) {
      const words = (length: number, step: number) =>
        Array.from({ length }, (_, at) => 'abc'[(seed * step + at * at * step) % 3] ?? '').join(' ');
      const [before, after] = [words(seed % 9, 5), words((seed * 7) % 11, 3)];
      const changes = wordChanges(before, after) ?? [];
      const kept = changes.filter(({ is }) => is === 'same').reduce((sum, { text }) => sum + text.length, 0);
      const without = (left: string) => changes.flatMap(({ is, text }) => (is === left ? [] : [text])).join('');
      expect([without('added'), without('removed'), kept]).toEqual([before, after, longestCommon(before, after)]);
    }
  });
});

/** The length of the longest text that both have in common, with other characters between: by the table of all pairs. */
function longestCommon(before: string, after: string): number {
  const table = [Array<number>(after.length + 1).fill(0)];
  for (const [x, sign] of [...before].entries()) {
    const above = table[x] ?? [];
    const row = [0];
    for (const [y, other] of [...after].entries())
      row.push(sign === other ? (above[y] ?? 0) + 1 : Math.max(above[y + 1] ?? 0, row[y] ?? 0));
    table.push(row);
  }
  return table.at(-1)?.at(-1) ?? 0;
}
