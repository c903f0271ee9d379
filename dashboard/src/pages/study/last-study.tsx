import type { ReactNode } from 'react';
import type { Schema } from '../../api/client';
import { CopyButton } from '../../ui/copy-button';
import { Moment } from '../../ui/moment';
import { Panel } from '../../ui/page';
import { ArmTable } from './arm-table';
import { OpenTable } from './open-table';
import styles from './study.module.css';

type Study = NonNullable<Schema<'StudyReply'>['study']>;

/** The comparison and findings of a study, with its advice. */
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
        {study.arms.length > 0 && (
          <Wide label="What each got right">
            <ArmTable arms={study.arms} />
          </Wide>
        )}
        {study.openArms.length > 0 && (
          <Wide label="What judges preferred">
            <OpenTable arms={study.openArms} />
          </Wide>
        )}
        <p className="soft">
          Intervals are of 95%, over tasks. Differences are in percentage points on the same tasks; equal spend is as
          many answers of the best single model as the ensemble cost, of which the most frequent counts. First texts:
          the median, and the 95th percentile.
          {study.openArms.length > 0 && ' Flips are verdicts of judges that change with the order.'}
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

/** A table that may be wider than the page: it is scrolled by itself, with the keyboard as well. */
function Wide({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard.
    <section className={styles.wide} aria-label={label} tabIndex={0}>
      {children}
    </section>
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
