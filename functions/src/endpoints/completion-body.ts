import type { Candidate } from '../ensemble/events';
import type { SpendTotals } from '../usage/books';
import type { ChunkMeta } from './endpoint';
import type { Collected } from './open-run';

const NANO = 1e9;

/** The spec's `ChatCompletionResponse`. */
export function completionBody(meta: ChunkMeta, collected: Collected): object {
  const { content, explanation, candidates, followUpPrompts, degraded, totals } = collected;
  return {
    id: meta.id,
    object: 'chat.completion',
    created: meta.created,
    model: meta.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, ...(explanation !== undefined && { explanation }) },
        finish_reason: 'stop',
        ...(candidates && { candidates: candidates.map(candidateBody) }),
        ...(followUpPrompts && { followUpPrompts }),
      },
    ],
    ...(degraded.length > 0 && { degraded }),
    usage: usageBody(totals),
  };
}

/**
 * Token usage under both the chat and the newer names; details only where a provider reported them. All tokens are text
 * here, so `text_tokens` is the whole count: cached and reasoning tokens are parts of it. Reasoning has no place in the
 * spec's `output_token_details`; it is where OpenAI's clients look for it. `unpriced_models` names the models whose
 * calls are booked at cost 0 because no price is known.
 */
export function usageBody(totals: SpendTotals): Record<string, unknown> {
  const { promptTokens, completionTokens, cachedPromptTokens, reasoningTokens } = totals;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    input_tokens: promptTokens,
    output_tokens: completionTokens,
    ...(cachedPromptTokens > 0 && {
      input_token_details: { text_tokens: promptTokens, cached_tokens: cachedPromptTokens },
      prompt_tokens_details: { cached_tokens: cachedPromptTokens },
    }),
    ...(reasoningTokens > 0 && {
      output_token_details: { text_tokens: completionTokens },
      completion_tokens_details: { reasoning_tokens: reasoningTokens },
    }),
    ...unpricedBody(totals),
  };
}

/** Says which models' calls the costs leave out; nothing where there are none. */
export function unpricedBody({ unpricedModels }: SpendTotals): object {
  return unpricedModels.length > 0 ? { unpriced_models: unpricedModels } : {};
}

/** Nano-USD as the USD number clients see. */
export function usd(nanoUsd: number): number {
  return nanoUsd / NANO;
}

/** The spec's `Candidate`. */
export function candidateBody(candidate: Candidate): object {
  const { modelId, modelName, response, promptTokens, completionTokens, executionTimeMs, costNanoUsd } = candidate;
  return {
    modelId,
    modelName,
    response,
    tokenUsage: { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens },
    executionTimeMs,
    cost: usd(costNanoUsd),
  };
}
