import type { CodeProblem } from './code-problem.ts';

interface Moving {
  readonly words: string;
  /** Rows down and columns to the right. */
  readonly moves: readonly (readonly [number, number])[];
}

const MOVES: readonly Moving[] = [
  {
    words: 'up, down, to the left or to the right',
    moves: [
      [0, 1],
      [1, 0],
      [0, -1],
      [-1, 0],
    ],
  },
  {
    words: 'to any of the up to eight fields around it',
    moves: [
      [0, 1],
      [1, 0],
      [0, -1],
      [-1, 0],
      [1, 1],
      [1, -1],
      [-1, 1],
      [-1, -1],
    ],
  },
  {
    words: 'down, to the right, or both at once to the field below on the right',
    moves: [
      [0, 1],
      [1, 0],
      [1, 1],
    ],
  },
];

/** The least number of steps on maps, by several rules of going. */
export const WAY_PROBLEMS: readonly CodeProblem[] = MOVES.map(shortestWay);

function shortestWay({ words, moves }: Moving): CodeProblem {
  const searched = (list: readonly (readonly number[])[]): string => `function shortestWay(rows) {
  const seen = new Set(['0,0']);
  let edge = rows[0][0] === '#' ? [] : [[0, 0]];
  for (let steps = 0; edge.length; steps++) {
    const next = [];
    for (const [r, c] of edge) {
      if (r === rows.length - 1 && c === rows[0].length - 1) return steps;
      for (const [dr, dc] of ${JSON.stringify(list)}) {
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
}`;
  return {
    name: 'shortestWay',
    parameters: 'rows',
    statement: `It takes a list of texts of the same length, a map in which "." is free and "#" a wall. In one step one goes from a free field ${words}, where that is free. It returns the least number of steps from the first field of the first row to the last field of the last row, or -1 where there is no way.`,
    solve: (rows: readonly string[]) => leastSteps(rows, moves),
    input: (random) => {
      const [height, width] = [random.between(2, 5), random.between(2, 5)];
      return [
        Array.from({ length: height }, () =>
          Array.from({ length: width }, () => (random.below(4) === 0 ? '#' : '.')).join(''),
        ),
      ];
    },
    edges: [
      [['.']],
      [['#']],
      [['..', '..']],
      [['.#', '#.']],
      [['.#.', '.#.', '...']],
      [['...', '##.', '...']],
      // Ways that go up, to the left, and up to the left.
      [['.#...', '.#.#.', '...#.']],
      [['...', '##.', '...', '.##', '...']],
      [['.##..#', '.#.##.', '.##.#.', '#..##.']],
    ],
    right: searched(moves),
    wrong: [searched(moves.slice(0, -1)), searched(moves).replace('return steps;', 'return steps + 1;')],
  };
}

/** Works by lengths: no way that never visits a field twice has more steps than there are fields. */
function leastSteps(rows: readonly string[], moves: Moving['moves']): number {
  const height = rows.length;
  const width = rows[0]?.length ?? 0;
  let reached = new Set(rows[0]?.[0] === '.' ? ['0 0'] : []);
  for (let steps = 0; steps < height * width; steps += 1) {
    if (reached.has(`${height - 1} ${width - 1}`)) return steps;
    reached = new Set([...reached].flatMap((place) => freeAround(rows, place, moves)));
  }
  return -1;
}

function freeAround(rows: readonly string[], place: string, moves: Moving['moves']): string[] {
  const [row = 0, column = 0] = place.split(' ').map(Number);
  return moves
    .map(([down, right]) => [row + down, column + right] as const)
    .filter(([r, c]) => rows[r]?.[c] === '.')
    .map(([r, c]) => `${r} ${c}`);
}
