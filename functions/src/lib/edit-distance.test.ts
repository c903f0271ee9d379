import { editDistance } from './edit-distance';

describe('the edit distance of two texts', () => {
  it.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['abc', 'abc', 0],
    ['kitten', 'sitting', 3],
    ['ensembel', 'ensemble', 2],
    ['flaw', 'lawn', 2],
  ])('%s and %s are %i apart, in either order', (a, b, distance) => {
    expect([editDistance(a, b), editDistance(b, a)]).toEqual([distance, distance]);
  });
});
