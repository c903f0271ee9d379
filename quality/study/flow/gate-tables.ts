import { checkOnBoth, type Gate, type GateFigures, gateFigures, sameAnswer } from './gate-model.ts';

const ACCURACIES = [0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95];
const CORRELATIONS = [0, 0.1, 0.25, 0.5];
const FALSE_PASSES = [0, 0.01, 0.1, 0.5, 1];
const SIZES = [3, 4, 5];
/** Panels with one weaker member: the arbiter's, then the second drafter, then the others. */
const MIXED = [
  [0.9, 0.9, 0.8, 0.7],
  [0.9, 0.8, 0.9, 0.7],
  [0.9, 0.7, 0.9, 0.8],
];

/** Everything that the simulation of the gate finds, as Markdown. */
export function gateTables(): string {
  const bySize = SIZES.map((size) => [`Of ${size} members:`, sameTable(size)].join('\n\n'));
  const checked = ['Drafts that cannot be compared, of four independent members, by a check:', checkTable()].join(
    '\n\n',
  );
  const mixed = ['Independent members of unlike worth, by the second drafter:', mixedTable()].join('\n\n');
  return `${[...bySize, checked, mixed].join('\n\n')}\n`;
}

function sameTable(size: number): string {
  const head = ['accuracy', ...CORRELATIONS.map((correlation) => `correlation ${correlation}`)];
  const rows = ACCURACIES.map((accuracy) => [
    String(accuracy),
    ...CORRELATIONS.map((correlation) => cellOf(equal(size, accuracy), correlation, sameAnswer)),
  ]);
  return table(head, rows);
}

function checkTable(): string {
  const head = ['accuracy', ...FALSE_PASSES.map((odds) => `wrong passes in ${100 * odds} %`)];
  const rows = ACCURACIES.map((accuracy) => [
    String(accuracy),
    ...FALSE_PASSES.map((odds) => cellOf(equal(4, accuracy), 0, checkOnBoth(odds))),
  ]);
  return table(head, rows);
}

function mixedTable(): string {
  const rows = MIXED.map((accuracies) => [accuracies.join(', '), cellOf(accuracies, 0, sameAnswer)]);
  return table(['arbiter, second, others', 'independent'], rows);
}

/** Calls, and points lost beside an arbiter who counts and beside one who knows. */
function cellOf(accuracies: readonly number[], correlation: number, gate: Gate): string {
  const figures = (knows: boolean): GateFigures => gateFigures({ accuracies, correlation, knows }, gate);
  const [counting, knowing] = [figures(false), figures(true)];
  return `${counting.calls.toFixed(1)} · ${pointsOf(counting)} · ${pointsOf(knowing)}`;
}

function pointsOf({ lost }: GateFigures): string {
  return Math.abs(lost).toFixed(2) === '0.00' ? '0' : lost.toFixed(2);
}

function equal(size: number, accuracy: number): number[] {
  return Array<number>(size).fill(accuracy);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
