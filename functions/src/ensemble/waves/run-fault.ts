import { Fault } from '../../errors';
import type { FailedCall } from '../../models/gateway/gateway-call';
import { isForGood } from '../../models/gateway/retries';

/**
 * The fault of a run that ended by these failures of its models: a 400 where every one of them was for good. A
 * provider's limit that ended it says when one of them may answer.
 */
export function runFault(text: string, failures: readonly FailedCall[], cause?: unknown): Fault {
  const code = failures.length > 0 && failures.every(isForGood) ? 'models_refused' : 'models_failed';
  const limited = failures.filter(({ fault }) => fault === 'rate_limited');
  const waitSeconds = Math.min(...limited.map(({ retryAfterSeconds = Infinity }) => retryAfterSeconds));
  const headers = { 'retry-after': String(Math.max(1, Math.ceil(waitSeconds))) };
  return new Fault(code, text, { cause, ...(Number.isFinite(waitSeconds) && { headers }) });
}
