import COUNTED_TEXTS from '../../test/support/counted-texts.json';
import { estimateTokens } from '../models/estimate-tokens';
import type { ChatTurn } from '../models/model';
import { fitTexts, historyThatFits, roomFor } from './context-window';

/** Emoji: each is two characters and two tokens. */
const [BEGINNING, MIDDLE, END] = ['🍅', '🍋', '🥑'] as const;

describe('roomFor', () => {
  it.each([
    { window: 100_000, rule: 'keeps 15 % for the reply', tokens: 85_000 },
    { window: 10_000, rule: 'keeps 4,000 tokens for the reply when that is more', tokens: 6_000 },
    { window: 1_000, rule: 'never keeps more than half for the reply', tokens: 500 },
    { window: 0, rule: 'has none without a window', tokens: 0 },
  ])('of $window tokens $rule', ({ window, tokens }) => expect(roomFor(window)).toBe(tokens));
});

describe('fitTexts', () => {
  it('cuts the middle and says where and how long the text was', () => {
    const text = `${BEGINNING.repeat(500)}${MIDDLE.repeat(500)}${END.repeat(500)}`;
    const [cut = ''] = fitTexts([text], 260);
    const [beginning = '', end = '', ...more] = cut.split('\n[… 3,000 characters in all, the middle left out …]\n');
    expect(more).toEqual([]);
    expect(beginning.startsWith(BEGINNING)).toBe(true);
    expect(end.endsWith(END)).toBe(true);
    expect(cut).not.toContain(MIDDLE);
    // A beginning of 70 %; the mark comes to some 20 tokens.
    expect(beginning.length / (beginning.length + end.length)).toBeCloseTo(0.7, 1);
    expect(beginning.length + end.length).toBeGreaterThan(230);
    expect(beginning.length + end.length).toBeLessThan(250);
  });

  it('gives everyone an equal share, and what short texts leave over to the long ones', () => {
    const texts = [BEGINNING.repeat(50), MIDDLE.repeat(450), END.repeat(2_500)];
    const [short = '', long = '', longer = ''] = fitTexts(texts, 1_000);
    expect(short).toBe(texts[0]);
    for (const cut of [long, longer]) {
      expect(estimateTokens(cut)).toBeLessThanOrEqual(450);
      expect(estimateTokens(cut)).toBeGreaterThan(425);
    }
  });

  it.each([
    ...COUNTED_TEXTS,
    { kind: 'a beginning denser than the rest', text: `${'的'.repeat(1_000)}${' '.repeat(20_000)}` },
    { kind: 'an end denser than the rest', text: `${'and '.repeat(5_000)}${'1 '.repeat(1_000)}` },
  ])('keeps within the room, whatever the text: $kind', ({ text }) => {
    const long = text.repeat(Math.ceil(5_000 / text.length));
    for (const room of [40, 300, 900]) {
      const [cut = ''] = fitTexts([long], room);
      expect(estimateTokens(cut)).toBeLessThanOrEqual(room);
      expect(cut).toContain('characters in all');
    }
  });

  it.each([0, -1, 5])('leaves the mark alone when there is no room: %d', (room) => {
    expect(fitTexts(['a '.repeat(500)], room)).toEqual(['\n[… 1,000 characters in all, the middle left out …]\n']);
  });
});

describe('historyThatFits', () => {
  const history: ChatTurn[] = [
    { role: 'user', text: '🍅'.repeat(2) },
    { role: 'assistant', text: '🍋'.repeat(3) },
    { role: 'user', text: '🥑'.repeat(2) },
  ];

  const left = (count: number) => ({
    role: 'user',
    text: `[… ${count} earlier message${count > 1 ? 's' : ''} left out …]`,
  });

  it.each([
    [14, history],
    [13, [left(1), ...history.slice(1)]],
    [4, [left(2), ...history.slice(2)]],
    [0, [left(3)]],
    [-1, [left(3)]],
  ])('in %d tokens keeps the newest turns and tells how many are missing', (room, kept) => {
    expect(historyThatFits(history, room)).toEqual(kept);
  });

  it('never keeps an old turn when a newer one did not fit', () => {
    const newer: ChatTurn = { role: 'assistant', text: 'a text that is too long for so few tokens' };
    expect(historyThatFits([{ role: 'user', text: 'x' }, newer], 5)).toEqual([left(2)]);
  });

  it('says nothing about a history that never was', () => expect(historyThatFits([], 0)).toEqual([]));
});
