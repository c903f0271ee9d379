import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** The benchmark tells its figures as it should. */

const FUNCTIONS = join(__dirname, '..', '..');

/** Evaluates an expression beside the modules of bench/, which are ES modules. */
function inTheBench<Value>(names: string, module: string, expression: string): Value {
  const program = `import { ${names} } from './bench/${module}.mjs'; console.log(JSON.stringify(${expression}));`;
  const args = ['--input-type=module', '-e', program];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: FUNCTIONS, encoding: 'utf8' }));
}

it('statistics are those of the numbers', () => {
  const all = inTheBench(
    'median, quantile, unionMs',
    'report',
    `[median([3, 1, 2]), median([4, 1, 3, 2]), quantile([3, 1, 2], 0.99), quantile([3, 1, 2], 0), unionMs([[0, 10], [5, 12], [20, 21]])]`,
  );
  expect(all).toEqual([2, 2.5, 3, 1, 13]);
});

it('a cost grows where a unit is dearer among many: of x² twice between 1, 2 and 3.5, of a line not at all', () => {
  const growths = inTheBench(
    'growthOf',
    'report',
    '[growthOf([1, 2, 3.5], [1, 4, 12.25]), growthOf([1, 8, 16], [9, 16, 24])]',
  );
  expect(growths).toEqual([5.5 / 3, 1]);
});

describe('the table', () => {
  const rows = (figure: object, rounds: readonly Record<string, number>[]): string[][] => {
    const contenders = Object.keys(rounds[0] ?? {}).map((name) => ({ name, title: name }));
    const told = rounds.map((round) =>
      Object.fromEntries(Object.entries(round).map(([name, value]) => [name, { k: value }])),
    );
    const given = { contenders, rounds: told, figures: [{ key: 'k', title: 'Wait', unit: 'ms', ...figure }] };
    return inTheBench('comparison', 'report', `comparison(${JSON.stringify(given)}).slice(1)`);
  };

  it('tells what is added to bare in the same round, and ours against it within the rounds', () => {
    // Added by ours 3, 6 and 9; by the peer 2, 2 and 3: ratios 1.5, 3 and 3.
    const rounds = [
      { bare: 1, ours: 4, peer: 3 },
      { bare: 2, ours: 8, peer: 4 },
      { bare: 1, ours: 10, peer: 4 },
    ];
    expect(rows({ isAdded: true, atMost: 'peer' }, rounds)).toEqual([
      ['Wait, added, ms', '1.00', '6.00', '2.00 ×3.00', '≤ peer’s', 'MISS'],
    ]);
  });

  it.each([
    [{ atMost: 4 }, ['≤ 4', 'ok']],
    [{ atMost: 2 }, ['≤ 2', 'MISS']],
    [{ atLeast: 'peer' }, ['≥ peer’s', 'ok']],
    [{}, ['', '']],
  ])('holds ours against %j', (target, end) => {
    expect(rows(target, [{ ours: 3, peer: 2 }])[0]?.slice(-2)).toEqual(end);
  });
});
