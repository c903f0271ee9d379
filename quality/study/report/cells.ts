import type { ArmRow, Difference } from '../analysis/analyse.ts';
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

/** The columns of the table, in order. */
export const COLUMNS = [
  'arm',
  'correct % [95 %]',
  'Δ best single [95 %]',
  'Δ equal spend [95 %]',
  'form %',
  'false facts per answer',
  '$ per correct',
  'p50/p95 first text',
  'calls',
] as const;

const NOTHING = '–';

/** One row as texts, a cell for each column. */
export function cellsOf(row: ArmRow): readonly string[] {
  return [
    row.arm,
    row.correct ? `${percent(row.correct.mean)} ${range(row.correct, percent)}` : NOTHING,
    difference(row.overBestSingle),
    difference(row.overEqualSpend),
    percent(row.form),
    row.falseFactsPerAnswer.toFixed(2),
    row.correct ? dollars(row.usdPerCorrect) : NOTHING,
    firstText(row),
    row.callsPerAnswer.toFixed(1),
  ];
}

/** The time of the first text, at the median and late. */
function firstText({ firstTextMs: { p50, p95 } }: ArmFigures): string {
  return p50 === undefined || p95 === undefined ? NOTHING : `${seconds(p50)}/${seconds(p95)}`;
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

/** The columns of the table of open questions. */
export const OPEN_COLUMNS = [
  'arm',
  'preferred to best single % [95 %]',
  'at equal length % [95 %]',
  'flips %',
  'length ×',
  '$ per answer',
  'p50/p95 first text',
  'calls',
] as const;

/** One row as texts, a cell for each column. */
export function openCellsOf(row: OpenRow): readonly string[] {
  return [
    row.arm,
    preferred(row.over),
    preferred(row.overAtEqualLength),
    row.flips === undefined ? '–' : percent(row.flips),
    row.lengthRatio === undefined ? '–' : row.lengthRatio.toFixed(2),
    dollars(row.usdPerAnswer),
    firstText(row),
    row.callsPerAnswer.toFixed(1),
  ];
}

/** A margin from -1 to 1 as how often the arm is preferred: a tie is half a time. */
function preferred({ mean, low, high, verdict }: Judged<Interval>): string {
  const share = (margin: number): string => percent((margin + 1) / 2);
  return `${share(mean)} [${share(low)}, ${share(high)}]${verdict === undefined ? '' : ` ${verdict}`}`;
}
