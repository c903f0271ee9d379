import type { Schema } from '../../api/client';
import { CopyButton } from '../../ui/copy-button';
import { Moment } from '../../ui/moment';
import { Panel } from '../../ui/page';
import { ArmTable } from './arm-table';
import { OpenTable } from './open-table';
import styles from './study.module.css';

type Study = NonNullable<Schema<'StudyReply'>['study']>;

/** What a study has compared and found, with what it advises. */
export function LastStudy({ study }: { readonly study: Study }) {
  return (
    <>
      {study.advice && <Advice advice={study.advice} />}
      <Panel title="What was found">
        {study.warnings.map((warning) => (
          <p key={warning} className={styles.warning}>
            {warning}
          </p>
        ))}
        <ul className={styles.lines}>
          {study.findings.map((finding) => (
            <li key={finding}>{finding}</li>
          ))}
        </ul>
        {study.arms.length > 0 && <ArmTable arms={study.arms} />}
        {study.openArms.length > 0 && <OpenTable arms={study.openArms} />}
        <p className={styles.soft}>
          Intervals are of 95 %, over tasks. Differences are in percentage points on the same tasks; equal spend is as
          many answers of the best single model as the ensemble cost, of which the most frequent counts.
        </p>
      </Panel>
      <Panel title="What was compared">
        <ul className={styles.lines}>
          <li>
            Finished <Moment at={study.finishedAt} />
          </li>
          {study.about.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </Panel>
    </>
  );
}

function Advice({ advice }: { readonly advice: NonNullable<Study['advice']> }) {
  const settings = JSON.stringify(advice.settings, null, 2);
  return (
    <Panel title="What to use">
      <p className={styles.advised}>{advice.arm}</p>
      <ul className={styles.lines}>
        {advice.reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      <div className={styles.settings}>
        <pre className={styles.code} dir="ltr">
          <code>{settings}</code>
        </pre>
        <CopyButton text={settings} what="Settings" kind="quiet" />
      </div>
    </Panel>
  );
}
