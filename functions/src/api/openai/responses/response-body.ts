/* The response object of the protocol, whole in its reply and in the first and last events of a stream. */
import * as z from 'zod';
import type { EnsembleResult } from '../../../ensemble/open-ensemble';
import { type Fault, statusOf } from '../../../errors';
import type { SpendTotals } from '../../../ledger/request-ledger';
import { always, count, list, named, oneOf, type Sent, text } from '../../../lib/reply-schemas';
import type { Finished } from '../../../runs/run';
import { EnsemblePart, ensemblePart } from '../../answer/ensemble-part';
import type { ReplyHead } from '../../answer/wire';

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
  z.looseObject({
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
    instructions: z.null().describe('Those of the request are not repeated.'),
    tools: list(z.unknown(), 'Always empty, likewise. All other fields are as in the request, or what it stands for.'),
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

/** Fields that replies repeat, with their values where the request has none. */
const DEFAULTS = {
  ...{ metadata: {}, max_output_tokens: null, parallel_tool_calls: true, prompt_cache_key: null },
  ...{ reasoning: { effort: null, summary: null }, safety_identifier: null, temperature: null },
  ...{ text: { format: { type: 'text' } }, tool_choice: 'auto', top_logprobs: 0, top_p: null, user: null },
};
/** Characters of JSON up to which a value is repeated. */
const REPEATED_CHARACTERS_MAX = 16_000;

/** A response that has begun; by itself it repeats nothing of the request, and may be sent often. */
export function openResponse({ id, created, model }: ReplyHead): Response {
  return {
    ...{ id, object: 'response', created_at: created, status: 'in_progress', model, output: [], usage: null },
    ...{ error: null, incomplete_details: null, background: false, store: false, truncation: 'disabled' },
    ...{ instructions: null, tools: [], previous_response_id: null, max_tool_calls: null, service_tier: null },
    ...DEFAULTS,
  };
}

/** The same with what it repeats. */
export function begunResponse(head: ReplyHead): Response {
  const said = head.sent as Readonly<Record<string, unknown>>;
  const repeated = Object.keys(DEFAULTS).filter((name) => {
    return said[name] != null && JSON.stringify(said[name]).length <= REPEATED_CHARACTERS_MAX;
  });
  return { ...openResponse(head), ...Object.fromEntries(repeated.map((name) => [name, said[name]])) };
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
export function cutReason({ finishReason = 'stop' }: EnsembleResult) {
  return CUT[finishReason];
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
