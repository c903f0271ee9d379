import type { Schema } from '../../api/client';
import { DataCell, DataTable } from '../../ui/data-table';
import { usd } from '../../ui/format-number';
import { percentWords } from './arm-words';
import { IntervalBar } from './interval-bar';
import styles from './study.module.css';

type OpenArm = NonNullable<Schema<'StudyReply'>['study']>['openArms'][number];

const HEADS = {
  arm: { label: 'Set-up' },
  preferred: { label: 'Preferred to best single' },
  equal: { label: 'At equal length' },
  flips: { label: 'Flips', isNumber: true },
  length: { label: 'Length', isNumber: true },
  price: { label: 'Per answer', isNumber: true },
  calls: { label: 'Calls', isNumber: true },
};

/** The judges' preferences on open questions. */
export function OpenTable({ arms }: { readonly arms: readonly OpenArm[] }) {
  return (
    <DataTable heads={Object.values(HEADS)}>
      {arms.map((arm) => (
        <tr key={arm.arm}>
          <th scope="row">{arm.arm}</th>
          <DataCell of={HEADS.preferred}>
            <Preferred {...arm.preferred} />
          </DataCell>
          <DataCell of={HEADS.equal}>
            <Preferred {...arm.preferredAtEqualLength} />
          </DataCell>
          <DataCell of={HEADS.flips}>{arm.flips === null ? '–' : `${(100 * arm.flips).toFixed(0)}%`}</DataCell>
          <DataCell of={HEADS.length}>{arm.lengthRatio === null ? '–' : `${arm.lengthRatio.toFixed(2)} ×`}</DataCell>
          <DataCell of={HEADS.price}>{arm.usdPerAnswer === null ? 'not priced' : usd(arm.usdPerAnswer)}</DataCell>
          <DataCell of={HEADS.calls}>{arm.callsPerAnswer.toFixed(1)}</DataCell>
        </tr>
      ))}
    </DataTable>
  );
}

function Preferred(share: OpenArm['preferred']) {
  return (
    <span className={styles.correct}>
      {percentWords(share)}
      {share.verdict !== null && `, ${share.verdict}`}
      <IntervalBar {...share} />
    </span>
  );
}
