import type { Ending } from '../../ensemble/run';
import type { SpendTotals } from '../../ledger/request-ledger';
import type { ToolCall } from '../../models/tools';

const NANO = 1e9;

/** Nano-USD as the USD number clients see. */
export function usd(nanoUsd: number): number {
  return nanoUsd / NANO;
}

/** A list for a reply that leaves out empty ones: JSON has no field where the value is undefined. */
export function unlessEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}

/**
 * Token usage under both the chat and the newer names; details only where a provider reported them. All tokens are text
 * here, so `text_tokens` is the whole count: cached and reasoning tokens are parts of it. `unpriced_models` are those
 * whose calls cost 0 in the ledger because no price is known.
 */
export function usageBody(totals: SpendTotals): object {
  const { promptTokens, completionTokens, cachedPromptTokens: cached, reasoningTokens: reasoning } = totals;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    input_tokens: promptTokens,
    output_tokens: completionTokens,
    ...(cached > 0 && {
      input_token_details: { text_tokens: promptTokens, cached_tokens: cached },
      prompt_tokens_details: { cached_tokens: cached },
    }),
    ...(reasoning > 0 && {
      output_token_details: { text_tokens: completionTokens },
      completion_tokens_details: { reasoning_tokens: reasoning },
    }),
    web_searches: totals.webSearches,
    unpriced_models: unlessEmpty(totals.unpricedModels),
  };
}

/** `tool_calls` where the model waits for its tools, else always `stop`. */
export function finishReasonOf({ toolCalls }: Pick<Ending, 'toolCalls'>): 'tool_calls' | 'stop' {
  return toolCalls ? 'tool_calls' : 'stop';
}

/** A tool call as replies in one piece show it. */
export function toolCallBody({ id, name, arguments: text }: ToolCall): object {
  return { id, type: 'function', function: { name, arguments: text } };
}
