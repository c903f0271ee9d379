import type { Schema } from '../../api/client';
import { DataCell, DataTable } from '../../ui/data-table';
import { differenceWords, firstTextWords, percentWords, priceWords, shareWords } from './arm-words';
import { IntervalBar } from './interval-bar';
import styles from './study.module.css';

type Arm = NonNullable<Schema<'StudyReply'>['study']>['arms'][number];

const HEADS = {
  arm: { label: 'Set-up' },
  correct: { label: 'Correct' },
  single: { label: 'Against the best model' },
  spend: { label: 'Against equal cost' },
  form: { label: 'Right form', isNumber: true },
  falseFacts: { label: 'False facts', isNumber: true },
  price: { label: 'Cost per correct', isNumber: true },
  firstText: { label: 'First text', isNumber: true },
  calls: { label: 'Calls', isNumber: true },
};

/** Shown where one member alone had facts. */
const KEPT = { label: 'Kept facts', isNumber: true };

/** The right answers of each arm of a study, beside their cost; losses are told as plainly as wins. */
export function ArmTable({ arms }: { readonly arms: readonly Arm[] }) {
  const hasKept = arms.some(({ keptFacts }) => keptFacts);
  const heads = Object.values(HEADS).flatMap((head) => (head === HEADS.falseFacts && hasKept ? [head, KEPT] : [head]));
  return (
    <DataTable heads={heads}>
      {arms.map((arm) => (
        <tr key={arm.arm}>
          <th scope="row">{arm.arm}</th>
          <DataCell of={HEADS.correct}>
            {arm.correct ? (
              <span className={styles.correct}>
                {percentWords(arm.correct)}
                <IntervalBar {...arm.correct} />
              </span>
            ) : (
              '–'
            )}
          </DataCell>
          <DataCell of={HEADS.single}>{differenceWords(arm.overBestSingle)}</DataCell>
          <DataCell of={HEADS.spend}>{differenceWords(arm.overEqualSpend)}</DataCell>
          <DataCell of={HEADS.form}>{shareWords(arm.form)}</DataCell>
          <DataCell of={HEADS.falseFacts}>{arm.falseFactsPerAnswer?.toFixed(2) ?? '–'}</DataCell>
          {hasKept && <DataCell of={KEPT}>{shareWords(arm.keptFacts?.mean)}</DataCell>}
          <DataCell of={HEADS.price}>{priceWords(arm)}</DataCell>
          <DataCell of={HEADS.firstText}>{firstTextWords(arm.firstTextMs)}</DataCell>
          <DataCell of={HEADS.calls}>{arm.kind === 'external' ? '–' : arm.callsPerAnswer.toFixed(1)}</DataCell>
        </tr>
      ))}
    </DataTable>
  );
}
