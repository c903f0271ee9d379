import { type CodeProblem, someWord } from './code-problem.ts';

type Moves = readonly (readonly [down: number, right: number])[];

const STRAIGHT: Moves = [
  [0, 1],
  [1, 0],
  [0, -1],
  [-1, 0],
];
const ORDERS = {
  'products are worked out before sums':
    "text.split('+').reduce((sum, part) => sum + part.split('*').reduce((product, n) => product * Number(n), 1), 0)",
  'sums are worked out before products, so that 2*3+4 is 14':
    "text.split('*').reduce((product, part) => product * part.split('+').reduce((sum, n) => sum + Number(n), 0), 1)",
  'all is worked out from the left to the right, so that 2+3*4 is 20':
    "text.match(/[+*]?\\d+/g).reduce((all, part) => (part[0] === '*' ? all * Number(part.slice(1)) : all + Number(part.replace('+', ''))), 0)",
};

/** Something to be searched, or worked out piece by piece. */
export const HARD_PROBLEMS: readonly CodeProblem[] = [
  ...[1, 2, 3].map(fullestBag),
  ...[changeCost(1, 1), changeCost(1, 2), changeCost(2, 1), changeCost(2, 3)],
  ...[waysUp(1, 2), waysUp(1, 3), waysUp(1, 3, 4), waysUp(2, 3, 5), waysUp(2, 5)],
  shortestWay('up, down, to the left or to the right', STRAIGHT),
  shortestWay('to any of the up to eight fields around it', [...STRAIGHT, [1, 1], [1, -1], [-1, 1], [-1, -1]]),
  shortestWay('down, to the right, or both at once to the field below on the right', [
    [0, 1],
    [1, 0],
    [1, 1],
  ]),
  ...Object.keys(ORDERS).map((order) => workedOut(order as keyof typeof ORDERS)),
];

function fullestBag(times: number): CodeProblem {
  const most = times === 1 ? 'at most once' : `at most ${times} times`;
  return {
    name: 'fullestBag',
    parameters: 'weights, limit',
    statement: `It takes a list of positive whole numbers and a limit, and returns the largest sum of weights that is not above the limit, where each item of the list may be taken ${most}. The sum of none is 0.`,
    right: `function fullestBag(weights, limit) {
  const can = Array(limit + 1).fill(false);
  can[0] = true;
  for (const weight of weights)
    for (let again = 0; again < ${times}; again++)
      for (let sum = limit; sum >= weight; sum--) if (can[sum - weight]) can[sum] = true;
  return can.lastIndexOf(true);
}`,
    slips: [
      ['let sum = limit; sum >= weight; sum--', 'let sum = weight; sum <= limit; sum++'],
      ['can.lastIndexOf(true)', 'can.indexOf(true, 1)'],
    ],
    input: (random) => [
      Array.from({ length: random.between(2, 6) }, () => random.between(2, 15)),
      random.between(5, 40),
    ],
    edges: [
      [[], 10],
      [[11], 10],
      [[6, 5, 5], 10],
      [[9, 4, 4, 4], 12],
      [[2], 15],
    ],
  };
}

function changeCost(removing: number, replacing: number): CodeProblem {
  return {
    name: 'changeCost',
    parameters: 'from, to',
    statement: `It returns the least that it costs to turn the first text into the second, where inserting a letter costs 1, removing one ${removing} and replacing one by another ${replacing}.`,
    right: `function changeCost(from, to) {
  let row = [...Array(to.length + 1).keys()];
  for (let i = 1; i <= from.length; i++) {
    const next = [i * ${removing}];
    for (let j = 1; j <= to.length; j++)
      next[j] = from[i - 1] === to[j - 1] ? row[j - 1] : Math.min(row[j] + ${removing}, next[j - 1] + 1, row[j - 1] + ${replacing});
    row = next;
  }
  return row[to.length];
}`,
    slips: [
      ['next[j - 1] + 1', 'next[j - 1] + 2'],
      [`[i * ${removing}]`, `[i * ${removing + 1}]`],
    ],
    input: (random) => [someWord(random, 7), someWord(random, 7)],
    edges: [
      ['', ''],
      ['abc', ''],
      ['', 'abc'],
      ['abc', 'abc'],
      ['ab', 'ba'],
      ['b', 'ab'],
    ],
  };
}

function waysUp(...steps: number[]): CodeProblem {
  return {
    name: 'waysUp',
    parameters: 'height',
    statement: `Somebody climbs a stair of so many steps and takes ${steps.join(' or ')} of them at a time. It returns in how many ways that can be done; the order of the strides matters. There is one way to climb no step at all.`,
    right: `function waysUp(height) {
  const ways = [1];
  for (let at = 1; at <= height; at++)
    ways[at] = [${steps.join(', ')}].reduce((sum, step) => sum + (at >= step ? ways[at - step] : 0), 0);
  return ways[height];
}`,
    slips: [
      ['ways = [1]', 'ways = [0]'],
      ['at >= step ?', 'at > step ?'],
    ],
    input: (random) => [random.between(0, 16)],
    edges: [[0], [1], [2], [3], [4], [5], [12]],
  };
}

/** The least number of steps on a map, by a rule of going. */
function shortestWay(words: string, moves: Moves): CodeProblem {
  return {
    name: 'shortestWay',
    parameters: 'rows',
    statement: `It takes a list of texts of the same length, a map in which "." is free and "#" a wall. In one step one goes from a free field ${words}, where that is free. It returns the least number of steps from the first field of the first row to the last field of the last row, or -1 where there is no way.`,
    right: `function shortestWay(rows) {
  const seen = new Set(['0,0']);
  let edge = rows[0][0] === '#' ? [] : [[0, 0]];
  for (let steps = 0; edge.length; steps++) {
    const next = [];
    for (const [r, c] of edge) {
      if (r === rows.length - 1 && c === rows[0].length - 1) return steps;
      for (const [dr, dc] of ${JSON.stringify(moves)}) {
        const key = (r + dr) + ',' + (c + dc);
        if (rows[r + dr]?.[c + dc] === '.' && !seen.has(key)) {
          seen.add(key);
          next.push([r + dr, c + dc]);
        }
      }
    }
    edge = next;
  }
  return -1;
}`,
    slips: [
      [JSON.stringify(moves), JSON.stringify(moves.slice(0, -1))],
      ['return steps;', 'return steps + 1;'],
    ],
    input: (random) => {
      const [height, width] = [random.between(2, 5), random.between(2, 5)];
      const row = (): string => Array.from({ length: width }, () => (random.below(4) === 0 ? '#' : '.')).join('');
      return [Array.from({ length: height }, row)];
    },
    edges: [
      [['.']],
      [['#']],
      [['..', '..']],
      [['.#', '#.']],
      [['...', '##.', '...']],
      // Ways that go up, to the left, and up to the left.
      [['.#...', '.#.#.', '...#.']],
      [['...', '##.', '...', '.##', '...']],
      [['.##..#', '.#.##.', '.##.#.', '#..##.']],
    ],
  };
}

/** Sums and products in a text, by a rule of what comes first. */
function workedOut(order: keyof typeof ORDERS): CodeProblem {
  const others = Object.values(ORDERS).filter((other) => other !== ORDERS[order]);
  return {
    name: 'workedOut',
    parameters: 'text',
    statement: `It takes a text of whole numbers with "+" or "*" between them, such as "2+3*4", without spaces, and returns what that comes to, where ${order}.`,
    right: `function workedOut(text) {
  return ${ORDERS[order]};
}`,
    slips: others.map((other) => [ORDERS[order], other] as const),
    input: (random) => [
      Array.from({ length: random.between(3, 5) }, () => String(random.between(1, 9))).reduce(
        (text, number) => `${text}${random.pick(['+', '*'])}${number}`,
      ),
    ],
    edges: [['7'], ['2+3*4'], ['2*3+4'], ['1+2*3+4*5'], ['10*2+3']],
  };
}
