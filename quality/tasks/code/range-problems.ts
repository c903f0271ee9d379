import type { CodeProblem } from './code-problem.ts';

type Range = readonly [first: number, last: number];
type Grid = readonly (readonly number[])[];

/** Ranges that are joined, and grids that are turned. */
export const RANGE_PROBLEMS: readonly CodeProblem[] = [...[0, 1, 3, 5].map(joinRanges), ...[1, 2, 3].map(turnGrid)];

function joinRanges(gap: number): CodeProblem {
  const near =
    gap === 0 ? 'overlap or touch (the next begins where another ends)' : `overlap or lie at most ${gap} apart`;
  return {
    name: 'joinRanges',
    parameters: 'ranges',
    statement: `It takes a list of ranges [first, last] in any order and returns a new list, sorted by the beginning, in which ranges that ${near} are joined into one.`,
    solve: (ranges: readonly Range[]) => {
      const joined: [number, number][] = [];
      for (const [first, last] of ranges.toSorted((one, other) => one[0] - other[0])) {
        const before = joined.at(-1);
        if (before && first - before[1] <= gap) before[1] = Math.max(before[1], last);
        else joined.push([first, last]);
      }
      return joined;
    },
    input: (random) => [
      Array.from({ length: random.between(2, 6) }, () => {
        const first = random.between(0, 40);
        return [first, first + random.between(0, 8)];
      }),
    ],
    edges: [
      [[]],
      [
        [
          [5, 6],
          [1, 2],
        ],
      ],
      [
        [
          [1, 4],
          [4 + gap, 20],
        ],
      ],
      [
        [
          [1, 4],
          [5 + gap, 20],
        ],
      ],
      [
        [
          [1, 20],
          [2, 3],
          [5, 6],
        ],
      ],
      [
        [
          [10, 12],
          [1, 11],
          [30, 31],
        ],
      ],
    ],
    right: `function joinRanges(ranges) {
  const sorted = ranges.map((range) => [...range]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const joined = [];
  for (const [first, last] of sorted) {
    const end = joined.length ? joined[joined.length - 1][1] : -Infinity;
    if (first <= end + ${gap}) joined[joined.length - 1][1] = Math.max(end, last);
    else joined.push([first, last]);
  }
  return joined;
}`,
    wrong: [
      `function joinRanges(ranges) {
  const joined = [];
  for (const [first, last] of ranges) {
    const before = joined[joined.length - 1];
    if (before && first <= before[1] + ${gap}) before[1] = Math.max(before[1], last);
    else joined.push([first, last]);
  }
  return joined;
}`,
      `function joinRanges(ranges) {
  const joined = [];
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const before = joined[joined.length - 1];
    if (before && first < before[1] + ${gap}) before[1] = last;
    else joined.push([first, last]);
  }
  return joined;
}`,
    ],
  };
}

function turnGrid(turns: number): CodeProblem {
  const angle = 90 * turns;
  const turn = (grid: Grid): number[][] => (grid[0] ?? []).map((_, at) => grid.map((row) => row[at] ?? 0).reverse());
  return {
    name: 'turnGrid',
    parameters: 'grid',
    statement: `It takes a rectangular list of rows and returns a new one, turned clockwise by ${angle} degrees.`,
    solve: (grid: Grid) => Array.from({ length: turns }).reduce<Grid>(turn, grid),
    input: (random) => {
      const width = random.between(1, 4);
      return [
        Array.from({ length: random.between(1, 4) }, () => Array.from({ length: width }, () => random.between(0, 9))),
      ];
    },
    edges: [
      [[[1]]],
      [[[1, 2, 3]]],
      [[[1], [2]]],
      [
        [
          [1, 2, 3],
          [4, 5, 6],
        ],
      ],
    ],
    right: [
      `function turnGrid(grid) {
  return grid[0].map((_, column) => grid.map((row) => row[column]).reverse());
}`,
      `function turnGrid(grid) {
  return [...grid].reverse().map((row) => [...row].reverse());
}`,
      `function turnGrid(grid) {
  return grid[0].map((_, column) => grid.map((row) => row[row.length - 1 - column]));
}`,
    ][turns - 1] as string,
    wrong: [
      `function turnGrid(grid) {
  return grid[0].map((_, column) => grid.map((row) => row[column]));
}`,
      `function turnGrid(grid) {
  return [...grid].reverse();
}`,
    ],
  };
}
