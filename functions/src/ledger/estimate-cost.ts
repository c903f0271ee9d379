import { type ModelRow, thinksFirst } from '../models/catalog';
import { priceCall } from '../models/prices';
import { SEARCHES, withSearches } from '../models/web-search';
import type { AnnouncedCall } from './request-ledger';

/** A call that is planned, and a long reply of its model where that is known. */
export type LikelyCall = Pick<AnnouncedCall, 'model' | 'promptTokens' | 'webSearch'> & {
  readonly replyTokens?: number | undefined;
};

/** What one reply is taken for while nothing is known of it. */
export const REPLY_TOKENS = 600;
/** All models with a known price can write as much: none is taken to write less when it writes much. */
const LONG_REPLY_TOKENS = 4_096;

/** A long reply of a model whose replies are not known, its thoughts included. */
export function longReplyTokens(model: ModelRow): number {
  return thinksFirst(model) ? 16_000 : LONG_REPLY_TOKENS;
}

/**
 * Cost of a run when all replies are long, nano-USD. Calls on a user's own key cost nothing. Budgets count it
 * while the run is under way; what it really cost is booked.
 */
export function estimateCost(calls: readonly LikelyCall[], startedAtMs: number): number {
  return calls.reduce((sum, { model, promptTokens, webSearch, replyTokens = longReplyTokens(model) }) => {
    const completionTokens = Math.min(model.maxOutputTokens ?? Infinity, Math.max(LONG_REPLY_TOKENS, replyTokens));
    const usage = { ...withSearches(promptTokens, webSearch && SEARCHES.long), completionTokens };
    return sum + priceCall(model, usage, startedAtMs).costNanoUsd;
  }, 0);
}
