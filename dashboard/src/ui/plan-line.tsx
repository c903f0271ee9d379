import { Link } from 'wouter';
import type { Schema } from '../api/client';

interface PlanLineProps {
  readonly plan: Schema<'AccountPlan'>;
  /** The words of the link to the page of the plan. */
  readonly children: string;
}

/** Which plan the user has, where another is needed, and the way to it. */
export function PlanLine({ plan, children }: PlanLineProps) {
  return (
    <p>
      {plan.tier === null ? 'You have no plan yet.' : `Your plan is ${plan.tier}, ${plan.status ?? 'not active'}.`}{' '}
      <Link href="/plan">{children}</Link>
    </p>
  );
}
