import * as z from 'zod';
import type { EnsembleResult } from '../../ensemble/open-ensemble';
import { always, list, named, type Sent, text } from '../../lib/reply-schemas';
import type { Finished } from '../../runs/run';
import { answering } from '../answer/answering';
import { EnsemblePart, ensemblePart } from '../answer/ensemble-part';
import { headFields, reasoningFields } from '../answer/run-result';
import type { ReplyHead } from '../answer/wire';
import { customNames } from '../shared/custom-tools';
import { OpenAiError } from '../shared/error-schemas';
import { openAiMessagesSchema } from '../shared/messages';
import { keyRoute } from '../shared/operation';
import { bool, objectOf, optional } from '../shared/schemas';
import { CHAT_FIELDS, chatFields, TOOL_FIELDS } from '../v1/chat-completions';
import {
  OpenAiChatChunk,
  OpenAiUsage,
  openAiChunkWriter,
  openAiFinishReason,
  openAiFinishReasonOf,
  openAiUsage,
} from './chat-chunks';
import { callBody, openAiCall } from './chat-tool-calls';
import { chatOffer, chatToolFields } from './chat-tools';

const streamOptions = objectOf(
  { include_usage: optional(bool(), 'Whether the last chunk tells the usage.') },
  'must be an object',
);

const OpenAiChatRequest = objectOf({
  ...chatFields,
  messages: openAiMessagesSchema,
  ...chatToolFields,
  stream_options: optional(streamOptions, 'Options of a stream.'),
})
  .meta({ id: 'OpenAiChatCompletionRequest' })
  .transform(({ tools, tool_choice, parallel_tool_calls, response_format: answerForm, ...fields }, context) => ({
    ...fields,
    answerForm,
    toolOffer: chatOffer({ tools, tool_choice, parallel_tool_calls }, context),
  }));

const OpenAiChatCompletion = named('OpenAiChatCompletion', () =>
  z.object({
    ...headFields('chat.completion', '`chatcmpl-` and the milliseconds of the request.'),
    choices: z
      .array(
        z.object({
          index: z.literal(0),
          message: z.object({
            role: always('assistant'),
            content: text('The answer; null where tools are called and nothing is said.').nullable(),
            refusal: z.null(),
            annotations: list(z.unknown(), 'Always empty.'),
            tool_calls: list(openAiCall(), 'The calls of tools that the answer consists of.').optional(),
            ...reasoningFields(),
          }),
          logprobs: z.null(),
          finish_reason: openAiFinishReason(),
        }),
      )
      .length(1)
      .describe('Always one.'),
    usage: OpenAiUsage,
    ensemble: EnsemblePart,
  }),
);

/** The same run as at `/v1`, and the replies of OpenAI's own server. */
export const createOpenAiChatCompletion = keyRoute({
  at: 'POST /openai/v1/chat/completions',
  endpoint: 'chat.completions',
  limited: true,
  id: 'createOpenAiChatCompletion',
  tag: 'OpenAI',
  summary: 'Answer a conversation, for clients that expect what OpenAI sends',
  description: 'What is told of an ensemble stands under `ensemble`. Null counts as absent.',
  body: OpenAiChatRequest,
  example: {
    model: 'ensemble',
    messages: [{ role: 'user', content: 'Should our clinic book appointments online?' }],
    stream: true,
    stream_options: { include_usage: true },
  },
  reply: OpenAiChatCompletion,
  streams: 'on demand',
  events: [OpenAiChatChunk, OpenAiError],
  run: answering({
    wire: { idPrefix: 'chatcmpl-', whole: completionBody, stream: openAiChunkWriter },
    heard: CHAT_FIELDS,
    heardWithTools: TOOL_FIELDS,
  }),
});

function completionBody(
  head: ReplyHead,
  finished: Finished<EnsembleResult>,
  content: string,
): Sent<typeof OpenAiChatCompletion> {
  const { id, created, model, sent } = head;
  const custom = customNames(sent);
  const { result, totals } = finished;
  const { toolCalls, reasoning } = result;
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: toolCalls && content === '' ? null : content,
          refusal: null,
          annotations: [],
          tool_calls: toolCalls?.map((call) => callBody(call, custom)),
          ...reasoning,
        },
        logprobs: null,
        finish_reason: openAiFinishReasonOf(result),
      },
    ],
    usage: openAiUsage(totals),
    ensemble: ensemblePart(head, finished),
  };
}
