import type { Schema } from '../../api/client';
import { count } from '../../ui/format-number';
import { Panel } from '../../ui/page';
import { PlanLine } from '../../ui/plan-line';
import styles from './keys.module.css';

interface ProNeededProps {
  readonly plan: Schema<'AccountPlan'>;
  readonly keys: Schema<'KeyList'>;
}

/** The benefits of Pro for users without it, and the way to it. */
export function ProNeeded({ plan, keys: { keys, liveMax } }: ProNeededProps) {
  const hasLive = keys.some(({ state }) => state === 'active' || state === 'rotating');
  return (
    <Panel title="Keys come with Pro">
      {hasLive && <p>Your keys are refused until Pro is active again; they can be changed and revoked.</p>}
      <p>With an active Pro plan you get:</p>
      <ul className={styles.gives}>
        <li>{liveMax} live keys, each with an expiry and a budget of its own</li>
        <li>{count(plan.requestsPerMinute.api)} requests a minute with any OpenAI client</li>
        <li>usage and cost of every key, month by month</li>
      </ul>
      <PlanLine plan={plan}>See how to get Pro on the page of your plan</PlanLine>
    </Panel>
  );
}
