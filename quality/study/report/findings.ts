import type { Analysis } from '../analysis/analyse.ts';
import type { Verdict } from '../analysis/verdicts.ts';
import { ceilingWords, sharesOf } from './ceiling-words.ts';

/** A verdict of some row, by the arm that it is of. */
type VerdictsOf = readonly (readonly [arm: string, verdict: Verdict | undefined])[];

const TASKS = { loses: 'Loses to', wins: 'Wins over', 'no difference shown': 'No difference shown to' };
const OPEN = {
  loses: 'Judges find worse than',
  wins: 'Judges find better than',
  'no difference shown': 'Judges show no preference between an arm and',
};

/** Sentences about the tables: losses first, then wins, then what could not be told. */
export function findings(analysis: Analysis): string[] {
  const { rows, openRows, crossFit, spentIn } = analysis;
  const [one, other] = crossFit.bestFor;
  const best =
    one === other ? `${one} on both halves of the tasks` : `${one} and ${other}, each on one half of the tasks`;
  const hasVotes = rows.some(({ kind }) => kind === 'equal spend');
  const faults = rows.filter((row) => row.faults > 0).map((row) => `${row.arm}: ${row.faults} of ${row.answers}`);
  const over = (field: 'overBestSingle' | 'overEqualSpend'): VerdictsOf =>
    rows.map((row) => [row.arm, row[field]?.verdict]);
  const preferred = (field: 'over' | 'overAtEqualLength'): VerdictsOf =>
    openRows.map((row) => [row.arm, row[field].verdict]);
  return [
    ...(rows.some(({ kind }) => kind === 'single')
      ? [`Best single model: ${best}; it is chosen on one half and tested on the other.`]
      : []),
    ...ceilingWords(analysis),
    ...sentences(TASKS, 'the best single model', over('overBestSingle')),
    ...sentences(TASKS, 'equal spend on the best single model', over('overEqualSpend')),
    ...(spentIn === 'calls' && hasVotes
      ? ['Not all models have a price: equal spend is taken to be as many calls.']
      : []),
    ...(faults.length > 0 ? [`Without an answer, which counts as wrong: ${faults.join('; ')}.`] : []),
    ...sentences(OPEN, 'the best single model', preferred('over')),
    ...sentences(OPEN, 'the best single model at equal length', preferred('overAtEqualLength')),
    ...keptWords(analysis),
    ...agreementWords(analysis),
  ];
}

function keptWords({ rows }: Analysis): string[] {
  const facts = rows.flatMap(({ arm, keptFacts }) => (keptFacts ? [{ arm, ...keptFacts }] : []));
  if (facts.length === 0) return [];
  const each = (told: (one: (typeof facts)[number]) => string): string => facts.map(told).join('; ');
  return [
    `Facts that one member alone had, in the answer: ${each(({ arm, stood, answers, reached }) => `${arm} ${stood} of ${answers}, of which ${reached} had reached its author`)}.`,
    `Claims of one member against the material, taken over: ${each(({ arm, claimsTaken }) => `${arm} ${claimsTaken}`)}.`,
  ];
}

function agreementWords({ agreement }: Analysis): string[] {
  if (!agreement) return [];
  const { share, sameOfAll } = agreement;
  return [
    `Agreed with ratings: ${share.count} of ${share.tasks}, ${sharesOf(share)}; the same said of all would agree with ${sameOfAll}. ` +
      'Ratings are weak labels: of earlier answers, by one user each, who saw the names.',
  ];
}

function sentences(begins: Readonly<Record<Verdict, string>>, to: string, verdicts: VerdictsOf): string[] {
  return Object.entries(begins).flatMap(([wanted, begin]) => {
    const arms = verdicts.filter(([, verdict]) => verdict === wanted).map(([arm]) => arm);
    return arms.length === 0 ? [] : [`${begin} ${to}: ${arms.join(', ')}.`];
  });
}

/** Notes on how to read the figures. */
const NOTES: readonly string[] = [
  'Correct is the mean over tasks of the share of repeats that were right. Δ is a difference in percentage points on the same tasks.',
  'Intervals are of 95 %, by a bootstrap over tasks. Wins and loses hold for all strategies together (Holm, 5 %); the intervals are single.',
  'Equal spend: as many samples of the best single model as the run cost, of which the most frequent final answer counts. Its own row has all samples.',
];
const OPEN_NOTES: readonly string[] = [
  'Open questions: each judge reads the two answers in one order and in its reverse. Preferred is the share of these readings that the arm won, a tie being half; flips are comparisons whose verdict changed with the order.',
  'At equal length: what is to be expected of two answers of one length, by a line through all comparisons over the difference of their lengths.',
];

const EXTERNAL_NOTE =
  'Arms of other servers are asked once a task, and judged together with the strategies. Which models they call, and how often, is not known; their cost is where the server tells it.';

const KEPT_NOTE =
  'Kept facts: one member has a document of its own with a fact that nobody else can know, and another a false claim. Only ensembles are asked, so no other column counts these tasks where there are others.';

/** The notes that an analysis needs. */
export function notesOf({ rows, openRows }: Analysis): readonly string[] {
  const isExternal = rows.some(({ kind }) => kind === 'external');
  const hasKept = rows.some(({ keptFacts }) => keptFacts);
  return [
    ...NOTES,
    ...(openRows.length > 0 ? OPEN_NOTES : []),
    ...(hasKept ? [KEPT_NOTE] : []),
    ...(isExternal ? [EXTERNAL_NOTE] : []),
  ];
}
