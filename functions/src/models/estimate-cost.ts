import { type ModelRow, thinksFirst } from './catalog';
import { priceCall } from './prices';
import { SEARCHES, withSearches } from './web-search';

/** Call that a run is likely to make. */
export interface LikelyCall {
  readonly model: ModelRow;
  readonly promptTokens: number;
  readonly webSearch?: true;
  /** Tokens of a long reply of its model, where that is known. */
  readonly replyTokens?: number | undefined;
}

/** Tokens that one reply is taken for while nothing is known of it. */
export const USUAL_REPLY_TOKENS = 600;
/** Tokens that all models with a known price can write: none is taken to write less when it writes much. */
const LONG_REPLY_TOKENS = 4_096;
const LONG_THINKING_REPLY_TOKENS = 16_000;

/** Tokens of a long reply of a model whose replies are not known, its thoughts included. */
export function longReplyTokens(model: ModelRow): number {
  return thinksFirst(model) ? LONG_THINKING_REPLY_TOKENS : LONG_REPLY_TOKENS;
}

/** Cost of calls when all replies are long, nano-USD: budgets count it while a run is under way. */
export function estimateCost(calls: readonly LikelyCall[], atMs: number): number {
  return calls.reduce((sum, { model, promptTokens, webSearch, replyTokens = longReplyTokens(model) }) => {
    const completionTokens = Math.min(model.maxOutputTokens ?? Infinity, Math.max(LONG_REPLY_TOKENS, replyTokens));
    const usage = { ...withSearches(promptTokens, webSearch && SEARCHES.long), completionTokens };
    return sum + priceCall(model, usage, atMs).costNanoUsd;
  }, 0);
}
