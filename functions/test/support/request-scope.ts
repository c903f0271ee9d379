import { ByteBudget } from '../../src/lib/byte-budget';
import { systemClock } from '../../src/lib/clock';
import type { RequestScope } from '../../src/models/gateway/gateway-call';
import { RetryBudget } from '../../src/models/gateway/retry-budget';
import { type OutputBounds, outputTurns, RunOutput } from '../../src/models/gateway/run-output';
import type { RunRequest } from '../../src/runs/admit';

/** Nobody follows the request. */
export const NO_TRACE: RunRequest['trace'] = {
  where: { requestId: 'untraced' },
  runStarted: () => () => undefined,
  callStarted: () => () => undefined,
  note: () => undefined,
};

/** So much memory for what models write, who are read at the usual pace. */
export function outputBounds(memoryBytes = Number.POSITIVE_INFINITY, clock = systemClock): OutputBounds {
  return { memory: new ByteBudget(memoryBytes), pace: outputTurns(clock) };
}

/** A request without a trace, for calls made by hand. Each is another user's unless it is said whose. */
export function scopeOf(id: string, retries = new RetryBudget(), userId = `user of ${id}`): RequestScope {
  const output = new RunOutput(outputBounds(), userId);
  return { id, userId, retries, output, inTurn: async (_, work) => work(), trace: NO_TRACE };
}
