import { estimatePromptTokens, estimateTokens } from '../../models/estimate-tokens';
import { priceCall } from '../../models/prices';
import { SEARCHES, withSearches } from '../../models/web-search';
import { longReplyTokens } from '../../usage/estimate-cost';
import type { EnsembleRequest } from '../run';
import { replyTokens } from './reply-length';
import type { WrittenCall } from './run-limits';

/** What one call may come to, its prompt being known. */
export interface CallCeiling {
  /** What it writes at most when it writes much. */
  readonly longTokens: number;
  /** Its provider is asked for no more than this. */
  readonly maxTokens: number;
  /** What it costs when it writes so much. */
  nanoUsd(outputTokens: number): number;
}

/** Our estimates are a quarter below what providers count at the most. */
const PROMPT_MARGIN = 4 / 3;

/** The ceilings of the calls of one request, at the prices of `atMs`. A model without a known price has cost 0. */
export function ceilingOf({ requestId, message }: EnsembleRequest, atMs: number): (call: WrittenCall) => CallCeiling {
  const messageTokens = estimateTokens(message, requestId);
  return ({ seat, purpose, prompt, outputSchema }) => {
    const { model } = seat;
    const written = Math.ceil(PROMPT_MARGIN * estimatePromptTokens(prompt, requestId, outputSchema?.schema));
    const searched = withSearches(written, prompt.webSearch && SEARCHES.long);
    // What is to be kept in a provider's cache may cost more to write than to send.
    const cacheWritePromptTokens = prompt.repeatedCharacters === undefined ? 0 : written;
    const shown = { ...searched, cacheWritePromptTokens };
    // More than it can write must not be asked for.
    const maxTokens = model.maxOutputTokens ?? longReplyTokens(model);
    return {
      maxTokens,
      longTokens: Math.min(maxTokens, Math.ceil(replyTokens(seat, purpose, messageTokens).long)),
      nanoUsd: (completionTokens) => priceCall(model, { ...shown, completionTokens }, atMs).costNanoUsd,
    };
  };
}
