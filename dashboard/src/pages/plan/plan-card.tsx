import type { Schema } from '../../api/client';
import { Panel } from '../../ui/page';

/** The subscription in words. */
export function PlanCard({ plan }: { readonly plan: Schema<'AccountPlan'> }) {
  return (
    <Panel title={plan.tier ?? 'No plan'}>
      <p>{plan.status ?? 'Nothing is subscribed to.'}</p>
    </Panel>
  );
}
