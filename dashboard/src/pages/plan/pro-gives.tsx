import type { Schema } from '../../api/client';
import { CopyButton } from '../../ui/copy-button';
import { count } from '../../ui/format-number';
import { Panel } from '../../ui/page';
import styles from './plan.module.css';

/** The benefits of Pro, and the way to it. */
export function ProGives({ plan }: { readonly plan: Schema<'AccountPlan'> }) {
  const command = `npm run admin -- subscriptions set --user ${plan.userId} --tier pro --status active`;
  return (
    <Panel title="What Pro gives">
      <ul className={styles.list}>
        <li>API keys, with which any OpenAI client can use the ensembles</li>
        <li>{count(plan.requestsPerMinute.api)} requests a minute</li>
        <li>a budget, an expiry and a usage report for each key</li>
        <li>models of your own router key, without a limit of tokens for those of the platform beside them</li>
      </ul>
      <p>
        Subscribe in the application that this service belongs to, or ask whoever runs it, and name your user id{' '}
        <code>{plan.userId}</code>. It takes effect with the next request.
      </p>
      <p>If you run it yourself:</p>
      <pre className={styles.snippet}>{command}</pre>
      <div>
        <CopyButton text={command} what="command" kind="quiet" />
      </div>
    </Panel>
  );
}
