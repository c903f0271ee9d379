/* The response object of the protocol, whole in its reply and in the first and last events of a stream. */
import * as z from 'zod';
import type { EnsembleResult } from '../../../ensemble/open-ensemble';
import { type Fault, statusOf } from '../../../errors';
import type { SpendTotals } from '../../../ledger/request-ledger';
import { always, count, list, named, oneOf, type Sent, text } from '../../../lib/reply-schemas';
import type { Finished } from '../../../runs/run';
import { EnsemblePart, ensemblePart } from '../../answer/ensemble-part';
import type { ReplyHead } from '../../answer/wire';

const anything = (description: string) => z.unknown().describe(description);
const usage = () =>
  z.object({
    input_tokens: count('Of all model calls of the run.'),
    input_tokens_details: z.object({
      cached_tokens: count('What was cached.'),
      cache_write_tokens: always(0),
    }),
    output_tokens: count('Of all model calls of the run.'),
    output_tokens_details: z.object({ reasoning_tokens: count('What models have thought.') }),
    total_tokens: count('The sum of both.'),
  });

/** A response, as OpenAI's own server has it. */
export const OpenAiResponse = named('OpenAiResponse', () =>
  z.object({
    id: text('`resp_` and the milliseconds of the request.'),
    object: always('response'),
    created_at: count('Unix seconds of the request.'),
    status: oneOf(['in_progress', 'completed', 'incomplete', 'failed'], 'How far it is.'),
    error: z.object({ code: text('A word for it.'), message: text('Which models failed, and how.') }).nullable(),
    incomplete_details: z
      .object({ reason: oneOf(['max_output_tokens', 'content_filter'], 'Why its model stopped.') })
      .nullable(),
    model: text('The `model` of the request, unchanged.'),
    output: list(z.custom<object>().meta({ type: 'object' }), 'Items: reasoning, messages and calls of tools.'),
    usage: usage().nullable(),
    ensemble: EnsemblePart.optional(),
    ...{ background: always(false), store: always(false), truncation: always('disabled') },
    instructions: z.null().describe('Those of the request are not repeated.'),
    tools: list(z.unknown(), 'Always empty, likewise.'),
    ...{ previous_response_id: z.null(), max_tool_calls: z.null(), service_tier: z.null() },
    metadata: anything('As the request has it, or the default: likewise the fields below.'),
    max_output_tokens: anything('Of the request.'),
    parallel_tool_calls: anything('Of the request.'),
    prompt_cache_key: anything('Of the request.'),
    reasoning: anything('Of the request.'),
    safety_identifier: anything('Of the request.'),
    temperature: anything('Of the request.'),
    text: anything('Of the request.'),
    tool_choice: anything('Of the request.'),
    top_logprobs: anything('Of the request.'),
    top_p: anything('Of the request.'),
    user: anything('Of the request.'),
  }),
);
export type Response = Sent<typeof OpenAiResponse>;

const numbered = { sequence_number: count('Its place in the stream.') };

/** Events of a stream that have all of the response. */
export const OpenAiResponseEvent = named(
  'OpenAiResponseEvent',
  () =>
    z.object({
      type: oneOf(
        ['created', 'in_progress', 'completed', 'incomplete', 'failed'].map((name) => `response.${name}`),
        'Its name, which the line `event:` has as well.',
      ),
      ...numbered,
      response: OpenAiResponse,
    }),
  'The last event of a stream is one of the last three.',
);

/** Events of a stream about an item of the output. */
export const OpenAiItemEvent = named('OpenAiItemEvent', () =>
  z.looseObject({
    type: text('Likewise, such as `response.output_text.delta`; the other fields are those of OpenAI.'),
    ...numbered,
    output_index: count('The place of the item in the output.'),
  }),
);

/** What the request says, or what it stands for where it says nothing. */
const DEFAULTS = {
  ...{ metadata: {}, max_output_tokens: null, parallel_tool_calls: true, prompt_cache_key: null },
  ...{ reasoning: { effort: null, summary: null }, safety_identifier: null, temperature: null },
  ...{ text: { format: { type: 'text' } }, tool_choice: 'auto', top_logprobs: 0, top_p: null, user: null },
};

/** A response that has begun. */
export function begunResponse({ id, created, model, sent }: ReplyHead): Response {
  const said = sent as Readonly<Record<string, unknown>>;
  const repeated = Object.entries(DEFAULTS).map(([name, value]) => [name, said[name] ?? value]);
  return {
    id,
    object: 'response',
    created_at: created,
    status: 'in_progress',
    ...{ error: null, incomplete_details: null },
    model,
    output: [],
    usage: null,
    ...{ background: false, store: false, truncation: 'disabled', instructions: null, tools: [] },
    ...{ previous_response_id: null, max_tool_calls: null, service_tier: null },
    ...(Object.fromEntries(repeated) as Record<keyof typeof DEFAULTS, unknown>),
  };
}

/** Reasons for which an answer is not whole. */
const CUT: Readonly<
  Partial<Record<NonNullable<EnsembleResult['finishReason']>, 'max_output_tokens' | 'content_filter'>>
> = {
  length: 'max_output_tokens',
  context_window: 'max_output_tokens',
  content_filter: 'content_filter',
};

/** Reason for which the answer is not whole; undefined where it is, or nothing is known. */
export function cutReason({
  finishReason,
  toolCalls,
}: EnsembleResult): 'max_output_tokens' | 'content_filter' | undefined {
  return toolCalls ? undefined : CUT[finishReason ?? 'stop'];
}

/** A response at its end. */
export function endedResponse(head: ReplyHead, finished: Finished<EnsembleResult>, output: object[]): Response {
  const reason = cutReason(finished.result);
  return {
    ...begunResponse(head),
    ...(reason ? { status: 'incomplete', incomplete_details: { reason } } : { status: 'completed' }),
    output,
    usage: usageOf(finished.totals),
    ensemble: ensemblePart(head, finished),
  };
}

/** Codes of failures by status, on which clients decide whether to ask again. */
const CODES: Readonly<Record<number, string>> = { 400: 'invalid_prompt', 429: 'rate_limit_exceeded' };

/** A response whose run has failed. */
export function failedResponse(head: ReplyHead, { code, publicText: message }: Fault, output: object[]): Response {
  const error = { code: CODES[statusOf(code)] ?? 'server_error', message };
  return { ...begunResponse(head), status: 'failed', error, output };
}

function usageOf({ promptTokens, completionTokens, cachedPromptTokens, reasoningTokens }: SpendTotals) {
  return {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: cachedPromptTokens, cache_write_tokens: 0 as const },
    output_tokens: completionTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: promptTokens + completionTokens,
  };
}
