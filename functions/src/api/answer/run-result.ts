/* Parts of the replies that tell of a run: their schemas, and what makes them of its result. */
import * as z from 'zod';
import { MEASURES } from '../../ensemble/agreement/agreement';
import { CHECK_NAMES } from '../../ensemble/checks/answer-checks';
import type { EnsembleResult } from '../../ensemble/open-ensemble';
import type { Ending, Candidate as ListedCandidate } from '../../ensemble/run';
import type { SpendTotals } from '../../ledger/request-ledger';
import { always, amount, count, list, mapOf, named, oneOf, type Sent, text, texts } from '../../lib/reply-schemas';
import { usd } from '../../lib/usd';
import type { ToolCall } from '../../models/tools';
import { ToldAnalysis, WebSource } from '../../runs/trace-event';
import { Plan, planBody, unlessEmpty } from './plan';

/** Fields that every reply and chunk begins with. */
export const headFields = <Kind extends string>(kind: Kind, id: string) => ({
  id: text(id),
  object: always(kind),
  created: count('Unix seconds of the request.'),
  model: text('The `model` of the request, unchanged.'),
});

const share = () => z.number().min(0).max(1);

const Agreement = named(
  'Agreement',
  () =>
    z.object({
      share: share(),
      measuredOn: oneOf(MEASURES, 'What was compared.'),
      words: text('What was counted, in one sentence.'),
    }),
  'How far the participants agree, measured on what they have written: absent where that cannot be done.',
);
export const agreementByPlace = () =>
  mapOf(share(), 'By place in a JSON answer, the share of candidates that say the same.');

const CheckResult = named(
  'CheckResult',
  () =>
    z.object({
      check: oneOf(CHECK_NAMES, 'The name of its option.'),
      passed: z.boolean().nullable().describe('Null: that cannot be told.'),
      words: text('What was found.'),
    }),
  'How the answer stands to one of its checks.',
);

export const sources = () => list(WebSource, 'Pages found on the web, those first that the text refers to.').optional();

const Candidate = named('Candidate', () =>
  z.object({
    modelId: text('The model of a participant.'),
    modelName: text('Its display name.'),
    label: text('The label of its entry in `models`.').optional(),
    response: text('Its last text.'),
    sources: sources(),
    tokenUsage: z.object({
      promptTokens: count('Of all calls of this participant.'),
      completionTokens: count('Likewise.'),
      totalTokens: count('The sum of both.'),
    }),
    executionTimeMs: amount('The sum of the times of these calls, in milliseconds.'),
    cost: amount('Of these calls, in US dollars.'),
  }),
);

/** The arbiter's comparison, for people and for programs. */
export const explanationFields = () => ({
  explanation: text("The arbiter's comparison of the answers, when asked for.").optional(),
  analysis: ToldAnalysis.optional(),
});

/** Fields that stand beside the answer in one piece and in the last chunk. */
export const besideFields = () => ({
  agreement: Agreement.optional(),
  checks: list(CheckResult, 'How the answer stands to each of its checks, where it has any.').optional(),
  followUpPrompts: z.array(z.string()).max(3).optional().describe('Suggestions for the next message, when asked for.'),
});

/** Fields about the participants in a reply in one piece. */
export const comparisonFields = () => ({
  ...besideFields(),
  candidates: list(Candidate, 'The last texts of the participants, when asked for.').optional(),
  agreement: z
    .union([Agreement, agreementByPlace()])
    .optional()
    .describe('By place where there are candidates and a schema, else of the whole run.'),
});

export function comparisonBody({ candidates, checks, agreementByPlace, agreement, followUpPrompts }: EnsembleResult) {
  // Where both could be told, the finer one is (docs/api.md, Agreement).
  const told = agreementByPlace ?? agreement;
  return { candidates: candidates?.map(candidateBody), checks, agreement: told, followUpPrompts };
}

function candidateBody(candidate: ListedCandidate) {
  const { modelId, modelName, label, response, sources, promptTokens, completionTokens, executionTimeMs } = candidate;
  const tokenUsage = { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
  const cost = usd(candidate.costNanoUsd);
  return { modelId, modelName, label, response, sources, tokenUsage, executionTimeMs, cost };
}

/** Fields of every reply about its run. */
export const endingFields = () => ({
  sources: sources(),
  unsupportedUrls: texts(
    'Addresses in the answer that stood in nothing it was made from, where the web was to be searched.',
  ).optional(),
  degraded: texts('In which ways the run was less than what was asked for, in words for people.').optional(),
  ignored: texts('What the request said without effect.').optional(),
  plan: Plan.optional(),
});

export function endingBody({ sources, unsupportedUrls, degraded, plan }: EnsembleResult, ignored: readonly string[]) {
  const lists = { degraded: unlessEmpty(degraded), ignored: unlessEmpty(ignored) };
  return { sources, unsupportedUrls, ...lists, plan: plan && planBody(plan) };
}

export const unpriced = () => texts('Ids of models that have no known price.').optional();
export const webSearches = () => count('Searches of the web, as providers bill them; part of the cost.').optional();

export const usageFields = () => ({
  prompt_tokens: count('Of all model calls of the run.'),
  completion_tokens: count('Likewise.'),
  total_tokens: count('The sum of both.'),
  input_tokens: count('The same as `prompt_tokens`.'),
  output_tokens: count('The same as `completion_tokens`.'),
  input_token_details: z
    .object({ text_tokens: count('All of the input.'), cached_tokens: count('What was cached.') })
    .optional(),
  prompt_tokens_details: z.object({ cached_tokens: count('What was cached.') }).optional(),
  output_token_details: z.object({ text_tokens: count('All of the output.') }).optional(),
  completion_tokens_details: z.object({ reasoning_tokens: count('What models have thought.') }).optional(),
  web_searches: webSearches(),
  unpriced_models: unpriced(),
});
export const TokenUsage = named(
  'TokenUsage',
  () => z.object(usageFields()),
  'All model calls of the run, not only the answer.',
);

/**
 * Token usage under both the chat and the newer names; details only where a provider reported them. All tokens are text
 * here, so `text_tokens` is the whole count: cached and reasoning tokens are parts of it.
 */
export function usageBody(totals: SpendTotals) {
  const { promptTokens, completionTokens, cachedPromptTokens: cached, reasoningTokens: reasoning } = totals;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    input_tokens: promptTokens,
    output_tokens: completionTokens,
    input_token_details: cached > 0 ? { text_tokens: promptTokens, cached_tokens: cached } : undefined,
    prompt_tokens_details: cached > 0 ? { cached_tokens: cached } : undefined,
    output_token_details: reasoning > 0 ? { text_tokens: completionTokens } : undefined,
    completion_tokens_details: reasoning > 0 ? { reasoning_tokens: reasoning } : undefined,
    web_searches: totals.webSearches,
    unpriced_models: unlessEmpty(totals.unpricedModels),
  };
}

/** Thoughts of a model that answers alone or calls tools, as its provider names them. */
export const reasoningFields = () => ({
  reasoning_content: text('What the model thought; to be sent back with its message.').optional(),
  reasoning: text('Likewise.').optional(),
  reasoning_details: list(z.custom<object>().meta({ type: 'object' }), 'Likewise.').optional(),
});

/** A call of a function in a message. */
export const functionCall = () =>
  z.object({
    id: text('Of the call.'),
    type: z.literal('function'),
    function: z.object({ name: text('The tool.'), arguments: text('JSON.') }),
  });

export function functionCallBody({ id, name, arguments: json }: ToolCall): Sent<ReturnType<typeof functionCall>> {
  return { id, type: 'function', function: { name, arguments: json } };
}

export const finishReason = () => oneOf(['stop', 'tool_calls'], '`tool_calls` where the model waits for its tools.');

export function finishReasonOf({ toolCalls }: Pick<Ending, 'toolCalls'>): 'tool_calls' | 'stop' {
  return toolCalls ? 'tool_calls' : 'stop';
}
