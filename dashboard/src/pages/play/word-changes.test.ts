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
