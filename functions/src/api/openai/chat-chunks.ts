import * as z from 'zod';
import type { EnsembleResult } from '../../ensemble/open-ensemble';
import { openAiError } from '../../http/error-body';
import type { EventWriter } from '../../http/event-stream';
import type { SpendTotals } from '../../ledger/request-ledger';
import { always, count, list, named, oneOf, type Sent, text } from '../../lib/reply-schemas';
import { textWriter } from '../answer/chunks';
import { EnsemblePart, ensemblePart } from '../answer/ensemble-part';
import { finishReasonOf, headFields, reasoningFields } from '../answer/run-result';
import type { ReplyHead, StreamWriter } from '../answer/wire';
import { customNames } from '../shared/custom-tools';
import { callWriter, openAiCallPiece } from './chat-tool-calls';

const FINISH_REASONS = ['stop', 'length', 'tool_calls', 'content_filter'] as const;
export const openAiFinishReason = () => oneOf(FINISH_REASONS, '`tool_calls` where the model waits for its tools.');

export const OpenAiUsage = named(
  'OpenAiUsage',
  () =>
    z.object({
      prompt_tokens: count('Of all model calls of the run.'),
      completion_tokens: count('Likewise.'),
      total_tokens: count('The sum of both.'),
      prompt_tokens_details: z.object({ cached_tokens: count('What was cached.'), audio_tokens: always(0) }),
      completion_tokens_details: z.object({
        reasoning_tokens: count('What models have thought.'),
        ...{ audio_tokens: always(0), accepted_prediction_tokens: always(0), rejected_prediction_tokens: always(0) },
      }),
    }),
  'All model calls of the run, not only the answer.',
);

/** One event of a stream, as OpenAI's own server writes it. */
export const OpenAiChatChunk = named(
  'OpenAiChatCompletionChunk',
  () =>
    z.object({
      ...headFields('chat.completion.chunk', 'The same in all chunks of a stream.'),
      choices: z
        .array(
          z.object({
            index: z.literal(0),
            delta: z.object({
              role: always('assistant').optional(),
              content: text('A piece of the answer.').optional(),
              refusal: z.null().optional(),
              tool_calls: list(
                openAiCallPiece(),
                'Pieces of the calls of tools that the answer consists of.',
              ).optional(),
              ...reasoningFields(),
            }),
            logprobs: z.null(),
            finish_reason: openAiFinishReason().nullable(),
          }),
        )
        .max(1)
        .describe('One, and none in the last chunk where `stream_options` ask for usage.'),
      usage: OpenAiUsage.nullable().optional().describe('Where it is asked for; null in all chunks but the last.'),
      ensemble: EnsemblePart.optional(),
    }),
  'The JSON of one event of a stream. The stream ends with `data: [DONE]`.',
);
type Chunk = Sent<typeof OpenAiChatChunk>;
type Delta = Chunk['choices'][number]['delta'];

/** Writer of the chunks of one stream. */
export function openAiChunkWriter(replyHead: ReplyHead, events: EventWriter): StreamWriter {
  const { id, created, model, sent } = replyHead;
  const head = { id, object: 'chat.completion.chunk', created, model } as const;
  const hasUsage = asksForUsage(sent);
  const noUsage = hasUsage ? { usage: null } : {};
  const chunk = (delta: Delta, rest: Pick<Chunk, 'ensemble'> = {}): Chunk => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: null }],
    ...noUsage,
    ...rest,
  });
  const calls = callWriter(customNames(sent), (piece) => events.write(chunk({ tool_calls: [piece] })));
  return {
    open: () => events.write(chunk({ role: 'assistant', content: '', refusal: null })),
    text: textWriter(chunk({ content: '' }), events),
    toolCall: calls.piece,
    reasoning: (piece) => events.write(chunk({ ...piece })),
    status: (status) => events.repeatWhenSilent(chunk({}, { ensemble: { status } })),
    trace: (trace) => events.write(chunk({}, { ensemble: { trace } })),
    end: (finished) => {
      const { result, totals } = finished;
      calls.end();
      // Accumulators take from a finishing chunk no more than its reason.
      if (result.reasoning) events.write(chunk({ ...result.reasoning }));
      const last = { index: 0, delta: {}, logprobs: null, finish_reason: openAiFinishReasonOf(result) } as const;
      events.write({ ...head, choices: [last], ...noUsage, ensemble: ensemblePart(replyHead, finished) });
      if (hasUsage) events.write({ ...head, choices: [], usage: openAiUsage(totals) });
    },
    fail: ({ code, publicText }) => {
      // LangChain4j knows an error by its name; go-openai does not if that stands before the data.
      events.write(`${JSON.stringify(openAiError({ code, text: publicText }))}\nevent: error`);
    },
  };
}

function asksForUsage(sent: { readonly stream_options?: { readonly include_usage?: unknown } | null }): boolean {
  return sent.stream_options?.include_usage === true;
}

export function openAiFinishReasonOf(result: EnsembleResult): (typeof FINISH_REASONS)[number] {
  const { finishReason: ended } = result;
  if (ended === 'content_filter') return ended;
  return ended === 'length' || ended === 'context_window' ? 'length' : finishReasonOf(result);
}

export function openAiUsage(totals: SpendTotals): Sent<typeof OpenAiUsage> {
  const { promptTokens, completionTokens, cachedPromptTokens, reasoningTokens } = totals;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cachedPromptTokens, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: reasoningTokens,
      ...{ audio_tokens: 0, accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
    },
  };
}
