import type { Schema } from '../../api/client';
import { useSession } from '../../session/session-context';
import { CopyButton } from '../../ui/copy-button';
import { statusWords, tierWords } from '../../ui/plan-status';
import { liveCount } from './keys';
import styles from './keys.module.css';

interface AboutKeysProps {
  readonly keys: Schema<'KeyList'>;
  readonly plan: Schema<'AccountPlan'>;
}

/** The address for programs' requests, and the limit of keys. */
export function AboutKeys({ keys: { keys, liveMax }, plan }: AboutKeysProps) {
  const { baseUrl } = useSession();
  const live = liveCount(keys);
  return (
    <div className={styles.about}>
      <p className={styles.base}>
        <span>Base URL</span>
        <code dir="ltr">{baseUrl}</code>
        <CopyButton text={baseUrl} what="base URL" kind="quiet" />
      </p>
      <p className={styles.count}>
        {live} of {liveMax} live
        {plan.tier !== null && ` · ${tierWords(plan.tier)}, ${statusWords(plan.status).label.toLowerCase()}`}
      </p>
      {live >= liveMax && <p role="status">For another key, revoke one of these first; each can still be rotated.</p>}
    </div>
  );
}
