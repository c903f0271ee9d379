import type { Analysis, ArmRow } from '../analysis/analyse.ts';
import type { Verdict } from '../analysis/verdicts.ts';

const COMPARED = [
  ['overBestSingle', 'the best single model'],
  ['overEqualSpend', 'equal spend on the best single model'],
] as const;

const PREFERRED = [
  ['over', 'the best single model'],
  ['overAtEqualLength', 'the best single model at equal length'],
] as const;

/** Sentences about the table of open questions, likewise. */
export function openFindings({ openRows }: Analysis): string[] {
  const arms = (field: 'over' | 'overAtEqualLength', verdict: Verdict): string[] =>
    openRows.filter((row) => row[field].verdict === verdict).map(({ arm }) => arm);
  return PREFERRED.flatMap(([field, words]) => [
    sentence('Judges find worse than', words, arms(field, 'loses')),
    sentence('Judges find better than', words, arms(field, 'wins')),
    sentence('Judges show no preference between an arm and', words, arms(field, 'no difference shown')),
  ]).filter((line) => line !== '');
}

/** Notes on how to read the figures of open questions. */
const OPEN_NOTES: readonly string[] = [
  'Open questions: each judge reads the two answers in one order and in its reverse. Preferred is the share of these readings that the arm won, a tie being half; flips are comparisons whose verdict changed with the order.',
  'At equal length: what is to be expected of two answers of one length, by a line through all comparisons over the difference of their lengths.',
];

/** Sentences about the table: losses first, then wins, then what could not be told. */
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

/** Notes on how to read the figures. */
const NOTES: readonly string[] = [
  'Correct is the mean over tasks of the share of repeats that were right. Δ is a difference in percentage points on the same tasks.',
  'Intervals are of 95 %, by a bootstrap over tasks. Wins and loses hold for all strategies together (Holm, 5 %); the intervals are single.',
  'Equal spend: as many samples of the best single model as the run cost, of which the most frequent final answer counts. Its own row has all samples.',
];

/** The notes that an analysis needs. */
export function notesOf({ openRows }: Analysis): readonly string[] {
  return openRows.length > 0 ? [...NOTES, ...OPEN_NOTES] : NOTES;
}
