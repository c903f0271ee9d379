import { STRATEGY_NAMES } from '../../src/ensemble/strategies/strategies';
import { ACCURACIES, CORRELATIONS, type Measured, USUAL } from './flow-grid';
import { ARBITER_NAMES } from './readers';

const PLOT = { width: 190, height: 130, left: 34, top: 30, gap: 44, below: 34 } as const;
const COLUMNS = 4;
const LEGEND_HEIGHT = 34;
const TICKS = [0, 0.5, 1] as const;

/** What is varied along a curve. */
interface Axis {
  readonly title: string;
  readonly label: string;
  readonly values: readonly number[];
  readonly valueIn: (cell: Measured) => number | undefined;
  /** What a single member gets right. */
  readonly single: (value: number) => number;
}

const AXES: Readonly<Record<'accuracy' | 'correlation', Axis>> = {
  accuracy: {
    title: 'Right answers by how often a member is right',
    label: 'accuracy of a member',
    values: ACCURACIES,
    valueIn: ({ odds }) => (odds.correlation === 0 ? odds.accuracy : undefined),
    single: (accuracy) => accuracy,
  },
  correlation: {
    title: 'Right answers by how much members are right together',
    label: 'correlation of members',
    values: CORRELATIONS,
    valueIn: ({ odds }) => (odds.accuracy === USUAL.accuracy ? odds.correlation : undefined),
    single: () => USUAL.accuracy,
  },
};

/** The curves of all strategies, a small plot each, as an SVG that follows the theme of its reader. */
export function flowCurves(found: readonly Measured[], along: keyof typeof AXES): string {
  const axis = AXES[along];
  const rows = Math.ceil(STRATEGY_NAMES.length / COLUMNS);
  const width = COLUMNS * (PLOT.width + PLOT.gap) + PLOT.left;
  const height = rows * (PLOT.height + PLOT.top + PLOT.below) + LEGEND_HEIGHT;
  const plots = STRATEGY_NAMES.map((strategy, index) => {
    const left = PLOT.left + (index % COLUMNS) * (PLOT.width + PLOT.gap);
    const top = PLOT.top + Math.floor(index / COLUMNS) * (PLOT.height + PLOT.top + PLOT.below);
    const own = found.filter((cell) => cell.strategy === strategy);
    return `<g transform="translate(${left} ${top})">${plot(axis, strategy, own)}</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${axis.title}">`,
    STYLE,
    ...plots,
    legend(height),
    '</svg>',
    '',
  ].join('\n');
}

const STYLE = `<style>
text { font: 11px system-ui, sans-serif; fill: #444 }
.name { font-weight: 600 }
.grid { stroke: #ccc }
.single { stroke: #888; stroke-dasharray: 3 3 }
polyline, .key { fill: none; stroke-width: 2 }
.oracle { stroke: #1b7f4b } .majority { stroke: #4054d6 } .longest { stroke: #b8560f } .first { stroke: #a3246f }
@media (prefers-color-scheme: dark) {
text { fill: #ccc } .grid { stroke: #444 } .single { stroke: #999 }
.oracle { stroke: #5fd39a } .majority { stroke: #9aa8ff } .longest { stroke: #f0a35e } .first { stroke: #ee85c3 }
}
</style>`;

function plot({ label, values, valueIn, single }: Axis, strategy: string, own: readonly Measured[]): string {
  const x = (value: number): string => (value * PLOT.width).toFixed(1);
  const y = (share: number): string => ((1 - share) * PLOT.height).toFixed(1);
  const lines = ARBITER_NAMES.map((arbiter) => {
    const points = values.flatMap((value) => {
      const cell = own.find((one) => one.arbiter === arbiter && valueIn(one) === value);
      return cell ? [`${x(value)},${y(cell.share)}`] : [];
    });
    return `<polyline class="${arbiter}" points="${points.join(' ')}"/>`;
  });
  const ends = [values[0] ?? 0, values.at(-1) ?? 1];
  return [
    `<text class="name" x="0" y="-10">${strategy}</text>`,
    ...TICKS.map((tick) => `<line class="grid" x1="0" x2="${PLOT.width}" y1="${y(tick)}" y2="${y(tick)}"/>`),
    ...TICKS.map((tick) => `<text x="-6" y="${Number(y(tick)) + 4}" text-anchor="end">${100 * tick}</text>`),
    ...TICKS.map((tick) => `<text x="${x(tick)}" y="${PLOT.height + 14}" text-anchor="middle">${tick}</text>`),
    `<text x="${PLOT.width / 2}" y="${PLOT.height + 27}" text-anchor="middle">${label}</text>`,
    `<polyline class="single" points="${ends.map((end) => `${x(end)},${y(single(end))}`).join(' ')}"/>`,
    ...lines,
  ].join('');
}

function legend(height: number): string {
  const names = [...ARBITER_NAMES.map((arbiter) => [arbiter, `arbiter: ${arbiter}`]), ['single', 'one member alone']];
  const items = names.map(
    ([kind, text], index) =>
      `<line class="key ${kind}" x1="${index * 150}" x2="${index * 150 + 24}" y1="0" y2="0"/><text x="${index * 150 + 30}" y="4">${text}</text>`,
  );
  return `<g transform="translate(${PLOT.left} ${height - 14})">${items.join('')}</g>`;
}
