import type { Analysis, ArmRow, Difference } from '../analysis/analyse.ts';
import type { ArmFigures } from '../analysis/arm-figures.ts';
import type { OpenRow } from '../analysis/open-rows.ts';
import type { Judged } from '../analysis/verdicts.ts';
import type { Interval } from '../statistics/mean-interval.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text that may be anybody's, for a page. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** A table: its columns, and rows with a cell for each. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const NOTHING = '–';
/** A column that is shown where there were such facts. */
const KEPT = 'kept facts % [95 %]';

type Columns<Row> = readonly (readonly [title: string, cell: (row: Row) => string])[];

const COLUMNS: Columns<ArmRow> = [
  ['arm', ({ arm }) => arm],
  ['correct % [95 %]', ({ correct }) => share(correct)],
  ['Δ best single [95 %]', ({ overBestSingle }) => difference(overBestSingle)],
  ['Δ equal spend [95 %]', ({ overEqualSpend }) => difference(overEqualSpend)],
  ['form %', ({ form }) => (form === undefined ? NOTHING : percent(form))],
  ['false facts per answer', ({ falseFactsPerAnswer }) => falseFactsPerAnswer?.toFixed(2) ?? NOTHING],
  [KEPT, ({ keptFacts }) => share(keptFacts?.kept)],
  ['$ per correct', ({ correct, usdPerCorrect }) => (correct ? dollars(usdPerCorrect) : NOTHING)],
  ['p50/p95 first text', firstText],
  ['calls', ({ kind, callsPerAnswer }) => (kind === 'external' ? NOTHING : callsPerAnswer.toFixed(1))],
];

/** Columns of open questions. A margin from -1 to 1 is told as how often the arm is preferred: a tie is half a time. */
const OPEN_COLUMNS: Columns<OpenRow> = [
  ['arm', ({ arm }) => arm],
  ['preferred to best single % [95 %]', ({ over }) => preferred(over)],
  ['at equal length % [95 %]', ({ overAtEqualLength }) => preferred(overAtEqualLength)],
  ['flips %', ({ flips }) => (flips === undefined ? NOTHING : percent(flips))],
  ['length ×', ({ lengthRatio }) => lengthRatio?.toFixed(2) ?? NOTHING],
  ['$ per answer', ({ usdPerAnswer }) => dollars(usdPerAnswer)],
  ['p50/p95 first text', firstText],
  ['calls', ({ callsPerAnswer }) => callsPerAnswer.toFixed(1)],
];

/** The table of all arms, and where there are open questions the one of those. */
export function tablesOf({ rows, openRows }: Analysis): Table[] {
  const hasKept = rows.some(({ keptFacts }) => keptFacts);
  const columns = COLUMNS.filter(([title]) => title !== KEPT || hasKept);
  return [tableOf(columns, rows), ...(openRows.length > 0 ? [tableOf(OPEN_COLUMNS, openRows)] : [])];
}

function tableOf<Row>(columns: Columns<Row>, rows: readonly Row[]): Table {
  return { columns: columns.map(([title]) => title), rows: rows.map((row) => columns.map(([, cell]) => cell(row))) };
}

/** The time of the first text, at the median and late. */
function firstText({ firstTextMs: { p50, p95 } }: ArmFigures): string {
  return p50 === undefined || p95 === undefined ? NOTHING : `${seconds(p50)}/${seconds(p95)}`;
}

function share(found: Interval | undefined): string {
  return found ? `${percent(found.mean)} ${range(found, percent)}` : NOTHING;
}

function difference(found: Difference | undefined): string {
  if (!found) return NOTHING;
  const words = found.verdict === undefined ? '' : ` ${found.verdict}`;
  return `${points(found.mean)} ${range(found, points)}${words}`;
}

function range({ low, high }: Interval, told: (share: number) => string): string {
  return `[${told(low)}, ${told(high)}]`;
}

/** A share as percent, to one decimal. */
export function percent(share: number): string {
  return (100 * share).toFixed(1);
}

/** A difference of shares in percentage points, with its sign. */
export function points(share: number): string {
  const rounded = percent(Math.abs(share));
  if (Number(rounded) === 0) return '0.0';
  return `${share < 0 ? '−' : '+'}${rounded}`;
}

/** US dollars, to three significant digits. */
export function dollars(usd: number | undefined): string {
  if (usd === undefined) return 'no price known';
  if (usd === Number.POSITIVE_INFINITY || Number.isNaN(usd)) return 'none correct';
  return `$${usd === 0 || usd >= 100 ? usd.toFixed(2) : Number(usd.toPrecision(3)).toFixed(decimalsOf(usd))}`;
}

function decimalsOf(usd: number): number {
  return Math.max(2, 2 - Math.floor(Math.log10(usd)));
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}

function preferred({ mean, low, high, verdict }: Judged<Interval>): string {
  const share = (margin: number): string => percent((margin + 1) / 2);
  return `${share(mean)} [${share(low)}, ${share(high)}]${verdict === undefined ? '' : ` ${verdict}`}`;
}
