import type { Schema } from '../../api/client';
import { count } from '../../ui/format-number';
import { Panel } from '../../ui/page';
import { statusWords, tierWords } from '../../ui/plan-status';
import { StatusLabel } from '../../ui/status-label';
import { useNow } from '../../ui/use-now';
import styles from './plan.module.css';
import { renewalWords } from './plan-renewal';

/** The subscription in words: what it is, whether it counts, when it renews, and what it allows. */
export function PlanCard({ plan }: { readonly plan: Schema<'AccountPlan'> }) {
  const nowMs = useNow();
  const { tone, label, meaning } = statusWords(plan.status);
  const renewal = renewalWords(plan, nowMs);
  const { allows, requestsPerMinute } = plan;
  return (
    <Panel title={tierWords(plan.tier)} actions={<StatusLabel tone={tone}>{label}</StatusLabel>}>
      <p>
        {meaning} {renewal}
      </p>
      <dl className={styles.facts}>
        <div>
          <dt>API keys</dt>
          <dd>
            {allows.api ? `Yes, ${count(requestsPerMinute.api)} requests a minute in all` : 'No, they come with Pro'}
          </dd>
        </div>
        <div>
          <dt>Models of your own router key</dt>
          <dd>
            {allows.routerModels
              ? `Yes, ${count(requestsPerMinute.routerModels)} runs a minute`
              : 'No, they come with Bring your own key and with Pro'}
          </dd>
        </div>
      </dl>
    </Panel>
  );
}
