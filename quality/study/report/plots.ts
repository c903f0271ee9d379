import type { ArmRow, Difference } from '../analysis/analyse.ts';
import { dollars, escaped, percent, points } from './cells.ts';

const WIDTH = 760;
const LEFT = 230;
const RIGHT = 20;
const ROW = 26;
const TOP = 24;
const SCATTER_HEIGHT = 340;
const FLOOR = 40;
/** Longer names are cut: the table has them whole. */
const NAME_MAX = 32;
const LABEL_HEIGHT = 14;
/** Labels nearer to each other than this could lie over each other. */
const LABEL_WIDTH = 180;

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

/**
 * The share of right answers against the cost of an answer, with the intervals. Nothing where prices or right answers are not
 * known.
 */
export function costPlot(title: string, rows: readonly ArmRow[]): string {
  const known = rows.filter((row) => row.correct && row.usdPerAnswer !== undefined && row.usdPerAnswer > 0);
  const most = Math.max(...known.map((row) => row.usdPerAnswer ?? 0));
  if (known.length === 0) return '';
  const labels: Place[] = [];
  const x = (usd: number): number => 50 + (usd / most) * (WIDTH - 250);
  const y = (share: number): number => SCATTER_HEIGHT - FLOOR - share * (SCATTER_HEIGHT - FLOOR - TOP);
  return figure(title, SCATTER_HEIGHT, [
    ...[0, 0.25, 0.5, 0.75, 1].map(
      (share) =>
        `<line class="grid" x1="50" x2="${WIDTH - RIGHT}" y1="${y(share)}" y2="${y(share)}"/><text x="44" y="${y(share) + 4}" text-anchor="end">${percent(share)}</text>`,
    ),
    ...[0, most / 2, most].map(
      (usd) => `<text x="${x(usd)}" y="${SCATTER_HEIGHT - 14}" text-anchor="middle">${dollars(usd)}</text>`,
    ),
    ...known.map((row) => {
      const [left, { mean, low, high }] = [x(row.usdPerAnswer as number), row.correct as Difference];
      const labelY = freePlace(labels, { x: left, y: y(mean) + 4 });
      const kind = row.kind === 'strategy' ? 'strategy' : 'plain';
      return `<line class="${kind}" x1="${left}" x2="${left}" y1="${y(low)}" y2="${y(high)}"/><circle class="${kind}" cx="${left}" cy="${y(mean)}" r="4"/><text class="name" x="${left + 8}" y="${labelY}">${escaped(cut(row.arm))}</text>`;
    }),
  ]);
}

interface Place {
  readonly x: number;
  readonly y: number;
}

/** The height at which a label lies over none of those before it: where it belongs, else below. */
function freePlace(taken: Place[], { x, y }: Place): number {
  const near = taken.filter((other) => Math.abs(other.x - x) < LABEL_WIDTH);
  let free = y;
  while (near.some((other) => Math.abs(other.y - free) < LABEL_HEIGHT)) free += 2;
  taken.push({ x, y: free });
  return free;
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
