import { priceCall } from '../models/prices';
import { SEARCHES, withSearches } from '../models/web-search';
import type { AnnouncedCall } from './request-ledger';

/** What one reply is taken for while nothing is known of it. */
export const REPLY_TOKENS = 600;

/**
 * What a run is likely to cost at least, nano-USD: its first wave, each call with its prompt and a reply of usual length.
 * Calls on a user's own key cost nothing. Budgets count it while the run is under way; what it really cost is booked.
 */
export function estimateCost(firstWave: readonly AnnouncedCall[], startedAtMs: number): number {
  const usage = { completionTokens: REPLY_TOKENS, cachedPromptTokens: 0, reasoningTokens: 0 };
  const costs = firstWave.map(({ model, promptTokens, webSearch }) =>
    priceCall(model, { ...usage, ...withSearches(promptTokens, webSearch && SEARCHES.mean) }, startedAtMs),
  );
  return costs.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0);
}
