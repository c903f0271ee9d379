import type { ArmRow, Difference } from '../analysis/analyse.ts';
import { escaped, points } from './cells.ts';

const WIDTH = 760;
const LEFT = 230;
const RIGHT = 20;
const ROW = 26;
const TOP = 24;
const FLOOR = 40;
/** Longer names are cut: the table has them whole. */
const NAME_MAX = 32;

/** A row of a plot of intervals. */
interface Span {
  readonly name: string;
  readonly found: Difference;
}

/** Differences with their intervals, one below the other, beside a line at 0. Nothing where there are none. */
export function differencePlot(title: string, rows: readonly ArmRow[], of: (row: ArmRow) => Difference | undefined) {
  const spans = rows.flatMap((row): Span[] => {
    const found = of(row);
    return found ? [{ name: row.arm, found }] : [];
  });
  if (spans.length === 0) return '';
  const reach = Math.max(0.01, ...spans.flatMap(({ found }) => [Math.abs(found.low), Math.abs(found.high)]));
  const x = (share: number): number => LEFT + ((share + reach) / (2 * reach)) * (WIDTH - LEFT - RIGHT);
  const height = TOP + spans.length * ROW + FLOOR;
  const ticks = [-reach, 0, reach];
  return figure(title, height, [
    ...ticks.map((share) => vertical(x(share), [TOP - 8, height - FLOOR], points(share))),
    ...spans.map(({ name, found }, index) => {
      const y = TOP + index * ROW + ROW / 2;
      const kind = found.verdict === 'wins' ? 'win' : found.verdict === 'loses' ? 'loss' : 'plain';
      return [
        `<text class="name" x="${LEFT - 10}" y="${y + 4}" text-anchor="end">${escaped(cut(name))}</text>`,
        `<line class="${kind}" x1="${x(found.low)}" x2="${x(found.high)}" y1="${y}" y2="${y}"/>`,
        `<circle class="${kind}" cx="${x(found.mean)}" cy="${y}" r="4"><title>${escaped(`${name}: ${points(found.mean)} [${points(found.low)}, ${points(found.high)}]`)}</title></circle>`,
      ].join('');
    }),
  ]);
}

function cut(name: string): string {
  return name.length > NAME_MAX ? `${name.slice(0, NAME_MAX - 1)}…` : name;
}

function vertical(x: number, [from, to]: readonly [number, number], label: string): string {
  return `<line class="grid" x1="${x}" x2="${x}" y1="${from}" y2="${to}"/><text x="${x}" y="${to + 16}" text-anchor="middle">${label}</text>`;
}

function figure(title: string, height: number, parts: readonly string[]): string {
  return [
    `<figure><figcaption>${escaped(title)}</figcaption>`,
    `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title)}">${parts.join('')}</svg></figure>`,
  ].join('');
}
