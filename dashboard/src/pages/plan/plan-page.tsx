import { useAccountPlan } from '../../api/use-account-plan';
import { ErrorState } from '../../ui/error-state';
import { Page } from '../../ui/page';
import { Skeleton } from '../../ui/skeleton';
import { PlanCard } from './plan-card';
import { PlanSpending } from './plan-spending';
import { ProGives } from './pro-gives';
import { RecentActivity } from './recent-activity';

/** The page of the plan: what was subscribed to, what it allows, what is left of it this month, and what was done. */
export default function PlanPage() {
  const plan = useAccountPlan();
  return (
    <Page title="Plan" lead="What your subscription allows, and what is left of this month.">
      {plan.isPending && <Skeleton label="Loading your plan" rows={2} rowHeight="132px" />}
      {plan.isError && <ErrorState title="Your plan could not be loaded" error={plan.error} onRetry={plan.refetch} />}
      {plan.data && (
        <>
          <PlanCard plan={plan.data} />
          <PlanSpending plan={plan.data} />
          {!plan.data.allows.api && <ProGives plan={plan.data} />}
        </>
      )}
      {/* Not before what is above it has its height: nothing moves then. */}
      {!plan.isPending && <RecentActivity />}
    </Page>
  );
}
