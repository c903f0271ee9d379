import { estimateTokens } from '../../models/estimate-tokens';
import { priceCall } from '../../models/prices';
import { SEARCHES, withSearches } from '../../models/web-search';
import type { EnsembleRequest } from '../run';
import { callsOf, maySearch, type PlannedCall } from './planned-wave';
import { replyTokens, textTokens } from './reply-length';
import { shownTokensOf } from './shown-tokens';

/** Between what a thing is likely to come to. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

const NO_SEARCHES = { least: 0, long: 0 };

/** The most of our own words in a prompt. */
const WORDS_TOKENS = 350;

/**
 * What calls cost at least, and what they cost when all replies are long, nano-USD at the prices of `atMs`: what caps are
 * reckoned with. An unpriced model is taken to cost nothing.
 */
export function projectionOf(request: EnsembleRequest, atMs: number): (calls: readonly PlannedCall[]) => Range {
  const messageTokens = estimateTokens(request.message);
  const shownTokens = shownTokensOf(request);
  const text = textTokens(messageTokens);

  const projected = (call: PlannedCall): Range => {
    const { seat, purpose, reads } = call;
    const { conversation, instructions } = shownTokens(call);
    const reply = replyTokens(seat, purpose, messageTokens);
    const searches = maySearch(call) ? SEARCHES : NO_SEARCHES;
    const costOf = (promptTokens: number, completionTokens: number, searches = 0): number =>
      priceCall(seat.model, { ...withSearches(promptTokens, searches), completionTokens }, atMs).costNanoUsd;
    return {
      low: costOf(conversation + reads * text.least, reply.least, searches.least),
      high: costOf(conversation + instructions + WORDS_TOKENS + reads * text.long, reply.long, searches.long),
    };
  };
  return (calls) =>
    calls.map(projected).reduce((sum, { low, high }) => ({ low: sum.low + low, high: sum.high + high }), {
      low: 0,
      high: 0,
    });
}

/** Least cost of the arbiter's answer when it is asked alone, nano-USD: no run comes cheaper. */
export function leastCostNanoUsd(request: EnsembleRequest, atMs: number): number {
  return projectionOf(request, atMs)(callsOf([request.panel.arbiter], 'answer', 0)).low;
}
