import type { Schema } from '../../api/client';
import { count } from '../../ui/format-number';
import { Panel } from '../../ui/page';
import { PlanLine } from '../../ui/plan-line';
import styles from './models.module.css';

/** The benefits of bring your own key for users without it, and the way to it. */
export function ByokNeeded({ plan, max }: { readonly plan: Schema<'AccountPlan'>; readonly max: number }) {
  return (
    <Panel title="Bring your own key">
      <p>With an active bring-your-own-key or Pro plan you can:</p>
      <ul className={styles.gives}>
        <li>save the key of a model router, which bills you for its models directly</li>
        <li>add up to {count(max)} of its models and let them answer together</li>
        <li>use {count(plan.grant.tokens)} tokens of the models below beside them each month</li>
      </ul>
      <PlanLine plan={plan}>See how to get it on the page of your plan</PlanLine>
    </Panel>
  );
}
