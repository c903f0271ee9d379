import { Link } from 'wouter';
import type { Schema } from '../api/client';
import { statusWords, tierWords } from './plan-status';

interface PlanLineProps {
  readonly plan: Schema<'AccountPlan'>;
  /** The words of the link to the page of the plan. */
  readonly children: string;
}

/** The user's plan, where another is needed, and the way to it. */
export function PlanLine({ plan, children }: PlanLineProps) {
  return (
    <p>
      {plan.tier === null
        ? 'You have no plan yet.'
        : `Your plan is ${tierWords(plan.tier)}: ${statusWords(plan.status).label.toLowerCase()}.`}{' '}
      <Link href="/plan">{children}</Link>
    </p>
  );
}
