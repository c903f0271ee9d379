import type { ChatTurn } from '../models/model';
import { fitTexts, historyThatFits, roomFor } from './context-window';

describe('roomFor', () => {
  it.each([
    // 15 % of 100,000 tokens for the reply, four characters a token for the rest.
    { window: 100_000, rule: 'keeps 15 % for the reply', characters: 340_000 },
    { window: 10_000, rule: 'keeps 4,000 tokens for the reply when that is more', characters: 24_000 },
    { window: 1_000, rule: 'never keeps more than half for the reply', characters: 2_000 },
    { window: 0, rule: 'has none without a window', characters: 0 },
  ])('of $window tokens $rule', ({ window, characters }) => expect(roomFor(window)).toBe(characters));
});

describe('fitTexts', () => {
  it('leaves texts alone that fit together', () => expect(fitTexts(['aaa', 'bb', ''], 5)).toEqual(['aaa', 'bb', '']));

  it('cuts the middle and says where and how long the text was', () => {
    const text = `${'b'.repeat(1_000)}${'m'.repeat(1_000)}${'e'.repeat(1_000)}`;
    const [cut = ''] = fitTexts([text], 260);
    const mark = '\n[… 3,000 characters in all, the middle left out …]\n';
    // 260 - 52 = 208 characters of the text stay: 145 of its beginning (70 %), 63 of its end.
    expect(mark).toHaveLength(52);
    expect(cut).toBe(`${'b'.repeat(145)}${mark}${'e'.repeat(63)}`);
  });

  it('gives everyone an equal share, and what short texts leave over to the long ones', () => {
    const [short = '', long = '', longer = ''] = fitTexts(['s'.repeat(100), 'l'.repeat(900), 'x'.repeat(5_000)], 1_000);
    expect(short).toHaveLength(100);
    expect([long.length, longer.length]).toEqual([450, 450]);
  });

  it('cuts texts of the same length alike', () => {
    const lengths = fitTexts(['a'.repeat(700), 'b'.repeat(700)], 1_000).map(({ length }) => length);
    expect(lengths).toEqual([500, 500]);
  });

  it.each([0, -1, 20])('leaves the mark alone when there is no room: %d', (room) => {
    expect(fitTexts(['a'.repeat(999)], room)).toEqual(['\n[… 999 characters in all, the middle left out …]\n']);
  });

  it('has nothing to do for no texts', () => expect(fitTexts([], 0)).toEqual([]));
});

describe('historyThatFits', () => {
  const history: ChatTurn[] = [
    { role: 'user', text: 'first' },
    { role: 'assistant', text: 'second' },
    { role: 'user', text: 'third' },
  ];

  it('is the whole history where that fits', () => expect(historyThatFits(history, 16)).toEqual(history));

  it('keeps the newest turns and tells how many are missing', () => {
    expect(historyThatFits(history, 15)).toEqual([
      { role: 'user', text: '[… 1 earlier message left out …]' },
      ...history.slice(1),
    ]);
    expect(historyThatFits(history, 5)).toEqual([
      { role: 'user', text: '[… 2 earlier messages left out …]' },
      ...history.slice(2),
    ]);
  });

  it('never keeps an old turn when a newer one did not fit', () => {
    const turns: ChatTurn[] = [
      { role: 'user', text: 'x' },
      { role: 'assistant', text: 'a text that is too long' },
    ];
    expect(historyThatFits(turns, 10)).toEqual([{ role: 'user', text: '[… 2 earlier messages left out …]' }]);
  });

  it.each([0, -1])('has no turns with %d characters of room', (room) =>
    expect(historyThatFits(history, room)).toHaveLength(1),
  );

  it('says nothing about a history that never was', () => expect(historyThatFits([], 0)).toEqual([]));
});
