import { costTimes } from './cost-times';

it.each([
  [[100, 420], 1, '4.2 ×'],
  [[100, 420], 0, '1.0 ×'],
  [[100, undefined], 0, undefined],
  [[undefined, 100], 0, undefined],
  [[0, 5], 1, '–'],
])('of %j the one at %i costs %s', (costs, at, words) => {
  expect(costTimes(costs, at)).toBe(words);
});
