import type { RequestScope } from '../../src/models/request-scope';
import { RetryBudget } from '../../src/models/retry-budget';

/** A request without a trace, for calls made by hand. */
export function scopeOf(id: string, retries = new RetryBudget()): RequestScope {
  return { id, retries, trace: { callStarted: () => () => undefined } };
}
