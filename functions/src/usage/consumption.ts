import type { CallRow } from './call-row';

/** What was consumed, as months add it up: integer tokens and nano-USD. */
export interface Consumption {
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costNanoUsd: number;
}

/** One line's part: what one model, or one key, adds to its line of the month. */
export interface LineConsumption extends Consumption {
  readonly id: string;
  readonly name: string;
}

/** What one settled request adds to its month. */
export interface RequestConsumption {
  /** For the month itself and for the key's line: one request, the sums of all its calls. */
  readonly total: Consumption;
  /** Tokens both ways of the calls that no key of the user's own paid for: what counts against a token grant. */
  readonly platformTokens: number;
  /** For the model lines: `requests` is the number of calls to the model that consumed something. */
  readonly models: readonly LineConsumption[];
}

const COUNTS = [
  'promptTokens',
  'completionTokens',
  'cachedPromptTokens',
  'cacheWritePromptTokens',
  'reasoningTokens',
  'costNanoUsd',
] as const;

/**
 * Throws a RangeError when a count is not a whole number from 0 to 2^53 - 1, or a duration not a finite number:
 * one such number would spoil a month for good.
 */
export function assertCounts(calls: readonly CallRow[]): void {
  for (const call of calls) {
    for (const count of COUNTS) {
      const value = count === 'cacheWritePromptTokens' ? (call[count] ?? 0) : call[count];
      if (!Number.isSafeInteger(value) || value < 0) {
        throw new RangeError(`call ${call.callId}: ${count} is not a count: ${value}`);
      }
    }
    if (!Number.isFinite(call.durationMs)) throw new RangeError(`call ${call.callId}: no duration: ${call.durationMs}`);
  }
}

/**
 * Adds up the calls of one request. A call that consumed nothing (no tokens, no cost) makes no model line: it never
 * ran, and model ids are free text. Throws a RangeError as `assertCounts` does, also when a sum gets too large.
 */
export function consumptionOf(calls: readonly CallRow[]): RequestConsumption {
  assertCounts(calls);
  const models = new Map<string, LineConsumption>();
  let platformTokens = 0;
  let total: Consumption = { requests: 1, promptTokens: 0, completionTokens: 0, costNanoUsd: 0 };
  for (const call of calls) {
    if (call.promptTokens + call.completionTokens + call.costNanoUsd === 0) continue;
    total = plus(total, call, 0);
    if (!call.ownKey) platformTokens += call.promptTokens + call.completionTokens;
    const line = models.get(call.modelId) ?? NOTHING;
    models.set(call.modelId, { ...plus(line, call, 1), id: call.modelId, name: call.modelName });
  }
  // Beyond what any grant holds anyway: no reason to refuse a settlement.
  platformTokens = Math.min(platformTokens, Number.MAX_SAFE_INTEGER);
  return { total, platformTokens, models: [...models.values()] };
}

const NOTHING: Consumption = { requests: 0, promptTokens: 0, completionTokens: 0, costNanoUsd: 0 };

function plus(sum: Consumption, call: CallRow, requests: number): Consumption {
  return {
    requests: sum.requests + requests,
    promptTokens: safe(sum.promptTokens + call.promptTokens),
    completionTokens: safe(sum.completionTokens + call.completionTokens),
    costNanoUsd: safe(sum.costNanoUsd + call.costNanoUsd),
  };
}

function safe(sum: number): number {
  if (!Number.isSafeInteger(sum)) throw new RangeError(`sum of counts is too large: ${sum}`);
  return sum;
}
