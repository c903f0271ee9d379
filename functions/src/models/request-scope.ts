import type { RequestTrace } from '../lib/request-trace';
import type { RetryBudget } from './retry-budget';

/** The request a model call is made for. */
export interface RequestScope {
  /** Requests wait in turn for a provider that is busy. */
  readonly id: string;
  /** What its calls may be repeated; the answer itself may always be tried twice. */
  readonly retries: RetryBudget;
  readonly trace: Pick<RequestTrace, 'callStarted'>;
}
