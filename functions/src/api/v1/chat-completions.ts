import * as z from 'zod';
import type { EnsembleResult } from '../../ensemble/open-ensemble';
import { STRATEGY_NAMES } from '../../ensemble/strategies/strategies';
import { always, list, named, type Sent, text } from '../../lib/reply-schemas';
import { REASONING_EFFORTS } from '../../models/model';
import type { Finished } from '../../runs/run';
import { TraceEvent } from '../../runs/trace-event';
import { answering } from '../answer/answering';
import { chunkWriter } from '../answer/chunks';
import {
  comparisonBody,
  comparisonFields,
  endingBody,
  endingFields,
  explanationFields,
  finishReason,
  finishReasonOf,
  functionCall,
  functionCallBody,
  headFields,
  reasoningFields,
  TokenUsage,
  usageBody,
} from '../answer/run-result';
import type { ReplyHead } from '../answer/wire';
import { modelField, responseFormatSchema, runFields } from '../ensemble-options/run-fields';
import { toolFields } from '../ensemble-options/tool-offer';
import { messagesSchema } from '../shared/messages';
import { keyRoute } from '../shared/operation';
import { objectOf, optional } from '../shared/schemas';

const positiveInteger = z
  .int('must be an integer greater than 0')
  .positive('must be an integer greater than 0')
  .optional();

export const chatFields = {
  model: modelField.describe(
    'A model id, which is the arbiter and, unless others are named, the only participant; or a virtual id such as `ensemble`.',
  ),
  messages: messagesSchema,
  ...runFields,
  response_format: responseFormatSchema.optional().describe('Which form the answer is to have.'),
  ...toolFields,
  reasoning_effort: optional(
    z.unknown().transform((value) => REASONING_EFFORTS.find((effort) => effort === value)),
    'How much the model that writes the answer is to think; any other value has no effect.',
  ).meta({ type: 'string', enum: REASONING_EFFORTS }),
  max_tokens: positiveInteger.describe('Checked and not sent to models.'),
  max_completion_tokens: positiveInteger.describe('Likewise.'),
};

/** Acted on where one model answers alone, or acts for an ensemble. */
export const TOOL_FIELDS: readonly string[] = Object.keys(toolFields);

/** The fields that are always acted on; `max_tokens` and its newer name are only looked at. */
export const CHAT_FIELDS = Object.keys(chatFields).filter(
  (name) => !name.startsWith('max_') && !TOOL_FIELDS.includes(name),
);

/**
 * Body of a chat completion (`docs/api.md`, Chat completions); fields without effect are not even looked at.
 * @internal
 */
export const ChatCompletionRequest = objectOf(chatFields)
  .meta({ id: 'ChatCompletionRequest' })
  .transform(({ response_format: answerForm, tools, tool_choice, parallel_tool_calls, ...fields }) => ({
    ...fields,
    answerForm,
    toolFields: { tools, tool_choice, parallel_tool_calls },
  }));

const ChatCompletion = named('ChatCompletion', () =>
  z.object({
    ...headFields('chat.completion', '`chatcmpl-` and the milliseconds of the request.'),
    choices: z
      .array(
        z.object({
          index: z.literal(0),
          message: z.object({
            role: always('assistant'),
            content: text('The answer; null where tools are called and nothing is said.').nullable(),
            tool_calls: list(functionCall(), 'The calls of tools that the answer consists of.').optional(),
            ...reasoningFields(),
            ...explanationFields(),
          }),
          finish_reason: finishReason(),
          ...comparisonFields(),
        }),
      )
      .min(1)
      .max(1)
      .describe('Always one.'),
    ...endingFields(),
    usage: TokenUsage,
    trace: list(TraceEvent, 'All that happened in the run, with `includeTrace`.').optional(),
  }),
);

const MESSAGES = [{ role: 'user', content: 'Should our clinic book appointments online?' }];
const DECISION = {
  type: 'object',
  properties: { book_online: { type: 'boolean' } },
  required: ['book_online'],
  additionalProperties: false,
};
/** Any but the default. */
const [, , STRATEGY] = STRATEGY_NAMES;

/** One conversation, several models, one answer. */
export const createChatCompletion = keyRoute({
  at: 'POST /v1/chat/completions',
  endpoint: 'chat.completions',
  limited: true,
  id: 'createChatCompletion',
  tag: 'Answers',
  summary: 'Answer a conversation with one model or an ensemble',
  description: 'Fields of OpenAI that are not listed are ignored. Null counts as absent.',
  body: ChatCompletionRequest,
  examples: {
    ensemble: { summary: 'The default panel', value: { model: 'ensemble', messages: MESSAGES } },
    panel: {
      summary: 'A panel of your own, streamed, with explanation and candidates',
      value: {
        model: 'demo-ada',
        messages: [{ role: 'system', content: 'Answer in two sentences.' }, ...MESSAGES],
        stream: true,
        ai_ensemble: {
          strategy: STRATEGY,
          models: ['demo-ada', { id: 'demo-blaise', temperature: 0.2, label: 'careful' }, { name: 'Demo Curie' }],
          rounds: 2,
          includeReasoning: true,
          includeCandidates: true,
        },
      },
    },
    one_model: {
      summary: 'One model, called directly',
      value: { model: 'demo-ada', messages: MESSAGES, temperature: 0.3 },
    },
    structured: {
      summary: 'An answer that follows a JSON Schema',
      value: {
        model: 'demo-ada',
        messages: MESSAGES,
        response_format: { type: 'json_schema', json_schema: { name: 'decision', schema: DECISION } },
      },
    },
    plan: {
      summary: 'What a request would cost: nothing is called',
      value: { model: 'ensemble', messages: MESSAGES, ai_ensemble: { maxCostUsd: 0.5, dryRun: true } },
    },
  },
  reply: ChatCompletion,
  streams: 'on demand',
  run: answering({
    wire: { idPrefix: 'chatcmpl-', whole: completionBody, stream: chunkWriter },
    heard: CHAT_FIELDS,
    heardWithTools: TOOL_FIELDS,
  }),
});

function completionBody(
  { id, created, model, ignored, trace }: ReplyHead,
  { result, totals }: Finished<EnsembleResult>,
  content: string,
): Sent<typeof ChatCompletion> {
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
          // As in OpenAI's API, which tool loops are written for.
          content: toolCalls && content === '' ? null : content,
          tool_calls: toolCalls?.map(functionCallBody),
          ...reasoning,
          explanation: result.explanation,
          analysis: result.analysis,
        },
        finish_reason: finishReasonOf(result),
        ...comparisonBody(result),
      },
    ],
    ...endingBody(result, ignored),
    usage: usageBody(totals),
    trace,
  };
}
