import { changeWords, monthChange } from './month-change';

const over = { isUnfinished: false };

describe('the change to the month before', () => {
  it.each([
    [112, 100, '▲ 12% more than in May'],
    [97, 100, '▼ 3% less than in May'],
    [0, 100, '▼ 100% less than in May'],
    [1005, 1000, '▲ 0.5% more than in May'],
    [7, 7, 'the same as in May'],
    [0, 0, 'the same as in May'],
    [3, 0, 'nothing in May'],
    [3, undefined, ''],
  ])('from %s after %s is told as “%s”', (now, before, words) => {
    expect(changeWords(monthChange({ now, before, ...over }), 'May')).toBe(words);
  });

  it.each([
    [50, 100, '50% of all of May'],
    [150, 100, '150% of all of May'],
    [0, 100, '0% of all of May'],
    [100, 100, '100% of all of May'],
    [5, 0, 'nothing in May'],
  ])('never calls an unfinished month of %s after %s less or more', (now, before, words) => {
    expect(changeWords(monthChange({ now, before, isUnfinished: true }), 'May')).toBe(words);
  });
});
