import type { Analysis, ArmRow } from '../analysis/analyse';

const COMPARED = [
  ['overBestSingle', 'the best single model'],
  ['overEqualSpend', 'equal spend on the best single model'],
] as const;

/** What the table says, in sentences: losses first, then wins, then what could not be told. */
export function findings({ rows, crossFit, spentIn }: Analysis): string[] {
  const [one, other] = crossFit.bestFor;
  const best =
    one === other ? `${one} on both halves of the tasks` : `${one} and ${other}, each on one half of the tasks`;
  const faults = rows.filter((row) => row.faults > 0).map((row) => `${row.arm}: ${row.faults} of ${row.answers}`);
  return [
    `Best single model: ${best}; it is chosen on one half and tested on the other.`,
    ...COMPARED.flatMap(([field, words]) => [
      sentence('Loses to', words, named(rows, field, 'loses')),
      sentence('Wins over', words, named(rows, field, 'wins')),
      sentence('No difference shown to', words, named(rows, field, 'no difference shown')),
    ]),
    spentIn === 'calls' ? 'Not all models have a price: equal spend is taken to be as many calls.' : '',
    faults.length > 0 ? `Without an answer, which counts as wrong: ${faults.join('; ')}.` : '',
  ].filter((line) => line !== '');
}

function named(rows: readonly ArmRow[], field: (typeof COMPARED)[number][0], verdict: string): string[] {
  return rows.filter((row) => row[field]?.verdict === verdict).map(({ arm }) => arm);
}

function sentence(begin: string, to: string, arms: readonly string[]): string {
  return arms.length === 0 ? '' : `${begin} ${to}: ${arms.join(', ')}.`;
}

/** How the figures are to be read. */
export const NOTES: readonly string[] = [
  'Correct is the mean over tasks of the share of repeats that were right. Δ is a difference in percentage points on the same tasks.',
  'Intervals are of 95 %, by a bootstrap over tasks. Wins and loses hold for all strategies together (Holm, 5 %); the intervals are single.',
  'Equal spend: as many samples of the best single model as the run cost, of which the most frequent final answer counts. Its own row has all samples.',
];
