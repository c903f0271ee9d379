import { ByteBudget } from '../../src/lib/byte-budget';
import type { RequestScope } from '../../src/models/gateway/gateway-call';
import { RetryBudget } from '../../src/models/gateway/retry-budget';
import { RunOutput } from '../../src/models/gateway/run-output';
import type { RunRequest } from '../../src/runs/admit';

/** Nobody follows the request. */
export const NO_TRACE: RunRequest['trace'] = {
  where: { requestId: 'untraced' },
  callStarted: () => () => undefined,
  note: () => undefined,
};

/** A request without a trace, for calls made by hand. Each is another user's unless it is said whose. */
export function scopeOf(id: string, retries = new RetryBudget(), userId = `user of ${id}`): RequestScope {
  const output = new RunOutput(new ByteBudget(Number.POSITIVE_INFINITY), userId);
  return { id, userId, retries, output, trace: NO_TRACE };
}
