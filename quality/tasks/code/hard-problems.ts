import { type CodeProblem, someWord } from './code-problem.ts';
import { ORDER_PROBLEMS } from './order-problems.ts';
import { WAY_PROBLEMS } from './way-problems.ts';

/** Something to be searched, or worked out piece by piece. */
export const HARD_PROBLEMS: readonly CodeProblem[] = [
  ...[1, 2, 3].map(fullestBag),
  ...(
    [
      [1, 1],
      [1, 2],
      [2, 1],
      [2, 3],
    ] as const
  ).map(changeCost),
  ...[
    [1, 2],
    [1, 3],
    [1, 3, 4],
    [2, 3, 5],
    [2, 5],
  ].map(waysUp),
  ...WAY_PROBLEMS,
  ...ORDER_PROBLEMS,
];

function fullestBag(times: number): CodeProblem {
  const most = times === 1 ? 'at most once' : `at most ${times} times`;
  const solve = (weights: readonly number[], limit: number): number => {
    let sums = new Set([0]);
    for (const weight of weights) {
      const next = new Set<number>();
      for (const sum of sums) for (let count = 0; count <= times; count += 1) next.add(sum + count * weight);
      sums = new Set([...next].filter((sum) => sum <= limit));
    }
    return Math.max(...sums);
  };
  const right = `function fullestBag(weights, limit) {
  const can = Array(limit + 1).fill(false);
  can[0] = true;
  for (const weight of weights)
    for (let again = 0; again < ${times}; again++)
      for (let sum = limit; sum >= weight; sum--) if (can[sum - weight]) can[sum] = true;
  return can.lastIndexOf(true);
}`;
  return {
    name: 'fullestBag',
    parameters: 'weights, limit',
    statement: `It takes a list of positive whole numbers and a limit, and returns the largest sum of weights that is not above the limit, where each item of the list may be taken ${most}. The sum of none is 0.`,
    solve,
    input: (random) => [
      Array.from({ length: random.between(2, 6) }, () => random.between(2, 15)),
      random.between(5, 40),
    ],
    edges: [
      [[], 10],
      [[11], 10],
      [[6, 5, 5], 10],
      [[9, 4, 4, 4], 12],
      [[3], 9],
    ],
    right,
    wrong: [
      `function fullestBag(weights, limit) {
  let sum = 0;
  for (const weight of [...weights].sort((a, b) => b - a))
    for (let count = 0; count < ${times}; count++) if (sum + weight <= limit) sum += weight;
  return sum;
}`,
      right.replace('return can.lastIndexOf(true);', 'return can.indexOf(true, 1);'),
    ],
  };
}

function changeCost([removing, replacing]: readonly [number, number]): CodeProblem {
  const costs = (remove: number, replace: number): string => `function changeCost(from, to) {
  let row = [...Array(to.length + 1).keys()];
  for (let i = 1; i <= from.length; i++) {
    const next = [i * ${remove}];
    for (let j = 1; j <= to.length; j++)
      next[j] = from[i - 1] === to[j - 1] ? row[j - 1] : Math.min(row[j] + ${remove}, next[j - 1] + 1, row[j - 1] + ${replace});
    row = next;
  }
  return row[to.length];
}`;
  const solve = (from: string, to: string): number => {
    const known = new Map<string, number>();
    const cost = (a: number, b: number): number => {
      if (a === from.length) return to.length - b;
      if (b === to.length) return (from.length - a) * removing;
      const key = `${a} ${b}`;
      const found =
        known.get(key) ??
        Math.min(
          cost(a + 1, b) + removing,
          cost(a, b + 1) + 1,
          cost(a + 1, b + 1) + (from[a] === to[b] ? 0 : replacing),
        );
      known.set(key, found);
      return found;
    };
    return cost(0, 0);
  };
  return {
    name: 'changeCost',
    parameters: 'from, to',
    statement: `It returns the least that it costs to turn the first text into the second, where inserting a letter costs 1, removing one ${removing} and replacing one by another ${replacing}.`,
    solve,
    input: (random) => [someWord(random, 7), someWord(random, 7)],
    edges: [
      ['', ''],
      ['abc', ''],
      ['', 'abc'],
      ['abc', 'abc'],
      ['ab', 'ba'],
      ['aaaa', 'bbbb'],
    ],
    right: costs(removing, replacing),
    wrong: [
      costs(removing + 1, replacing),
      `function changeCost(from, to) {
  let cost = 0;
  const least = Math.min(from.length, to.length);
  for (let at = 0; at < least; at++) if (from[at] !== to[at]) cost += ${replacing};
  return cost + (from.length > to.length ? (from.length - to.length) * ${removing} : to.length - from.length);
}`,
    ],
  };
}

function waysUp(steps: readonly number[]): CodeProblem {
  const counted = (start: string): string => `function waysUp(height) {
  const ways = [${start}];
  for (let at = 1; at <= height; at++)
    ways[at] = [${steps.join(', ')}].reduce((sum, step) => sum + (at >= step ? ways[at - step] : 0), 0);
  return ways[height];
}`;
  const solve = (height: number): number =>
    height === 0 ? 1 : steps.reduce((sum, step) => sum + (height >= step ? solve(height - step) : 0), 0);
  return {
    name: 'waysUp',
    parameters: 'height',
    statement: `Somebody climbs a stair of so many steps and takes ${steps.join(' or ')} of them at a time. It returns in how many ways that can be done; the order of the strides matters. There is one way to climb no step at all.`,
    solve,
    input: (random) => [random.between(0, 16)],
    edges: [[0], [1], [2], [3], [4], [5], [12]],
    right: counted('1'),
    wrong: [counted('0'), counted('1').replace('at >= step ?', 'at > step ?')],
  };
}
