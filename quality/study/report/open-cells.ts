import type { OpenRow } from '../analysis/open-rows.ts';
import type { Judged } from '../analysis/verdicts.ts';
import type { Interval } from '../statistics/mean-interval.ts';
import { dollars, firstText, percent } from './cells.ts';

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
