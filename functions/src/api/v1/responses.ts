import * as z from 'zod';
import type { EnsembleResult } from '../../ensemble/open-ensemble';
import type { Strategy } from '../../ensemble/run';
import { DEFAULT_STRATEGY, STRATEGIES, VIRTUAL_MODELS } from '../../ensemble/strategies/strategies';
import { always, count, list, named, type Sent, text } from '../../lib/reply-schemas';
import type { Finished } from '../../runs/run';
import { TraceEvent } from '../../runs/trace-event';
import { answering } from '../answer/answering';
import { chunkWriter } from '../answer/chunks';
import { unlessEmpty } from '../answer/plan';
import {
  comparisonBody,
  comparisonFields,
  endingBody,
  endingFields,
  explanationFields,
  headFields,
  unpriced,
  webSearches,
} from '../answer/run-result';
import type { ReplyHead } from '../answer/wire';
import { modelField, runFields, textSchema } from '../ensemble-options/run-fields';
import { keyRoute } from '../shared/operation';
import { objectOf } from '../shared/schemas';

const INVALID_INPUT = 'Invalid input string';
/** Names what makes libraries that ask this endpoint by themselves ask the other one. */
const INPUT_IS_LIST =
  `${INVALID_INPUT}: a list of items is not supported here; use POST /v1/chat/completions with messages; ` +
  'in the AI SDK .chat(model), in LangChain use_responses_api=False or useResponsesApi: false, ' +
  'in n8n Use Responses API off, in the Agents SDK OpenAIChatCompletionsModel';

const responseFields = {
  model: modelField.describe('As in a chat completion; it may also name a strategy, as the virtual ids do.'),
  input: z
    .string({ error: ({ input: value }) => (Array.isArray(value) ? INPUT_IS_LIST : INVALID_INPUT) })
    .regex(/\S/, INVALID_INPUT)
    .describe('The prompt, not blank.'),
  ...runFields,
  text: textSchema.optional().describe('Only `format` is read: which form the answer is to have.'),
};

/**
 * Body of a request for a response (`docs/api.md`, Responses): one message without history.
 * @internal
 */
export const ResponseRequest = objectOf(responseFields)
  .meta({ id: 'ResponseRequest' })
  .transform(({ input, text: answerForm, ...fields }) => ({
    ...fields,
    answerForm,
    messages: { message: input, history: [], systemMessages: [] },
    strategy: strategyInModel(fields.model),
    namesEnsemble: /ensemble|panel/.test(fields.model),
  }));

/** A response in one piece. Its content parts are of type `text`, not `output_text`. */
const Response = named('Response', () =>
  z.object({
    ...headFields('response', '`resp_` and the milliseconds of the request.'),
    output: z
      .array(
        z.object({
          type: always('message'),
          id: text('`msg_` and the milliseconds of the request.'),
          role: always('assistant'),
          content: list(z.object({ type: always('text'), text: text('The answer.') }), 'Always one.'),
        }),
      )
      .min(1)
      .max(1)
      .describe('Always one.'),
    ...explanationFields(),
    ...comparisonFields(),
    ...endingFields(),
    usage: z.object({
      input_tokens: count('Of all model calls of the run.'),
      output_tokens: count('Likewise.'),
      total_tokens: count('The sum of both.'),
      web_searches: webSearches(),
      unpriced_models: unpriced(),
    }),
    trace: list(TraceEvent, 'All that happened in the run, with `includeTrace`.').optional(),
  }),
);

const QUESTION = 'Should our clinic book appointments online?';
const VIRTUAL = VIRTUAL_MODELS.find(({ strategy }) => strategy)?.id;

/** One message without a conversation; conversations are not stored. */
export const createResponse = keyRoute({
  at: 'POST /v1/responses',
  endpoint: 'responses',
  limited: true,
  id: 'createResponse',
  tag: 'Answers',
  summary: 'Answer one input string in the same way',
  description: 'Without history. A stream has the chunks of chat completions.',
  body: ResponseRequest,
  examples: {
    strategy_in_model: {
      summary: 'An ensemble, by the name of its strategy',
      value: { model: VIRTUAL, input: QUESTION },
    },
    one_model: { summary: 'One model', value: { model: 'demo-ada', input: QUESTION, stream: true } },
  },
  reply: Response,
  streams: 'on demand',
  run: answering({
    wire: { idPrefix: 'resp_', whole: responseBody, stream: chunkWriter },
    heard: Object.keys(responseFields),
  }),
});

function responseBody(
  { id, created, model, ignored, trace }: ReplyHead,
  { result, totals }: Finished<EnsembleResult>,
  content: string,
): Sent<typeof Response> {
  const { promptTokens, completionTokens, webSearches, unpricedModels } = totals;
  return {
    id,
    object: 'response',
    created,
    model,
    output: [
      {
        type: 'message',
        id: id.replace('resp_', 'msg_'),
        role: 'assistant',
        content: [{ type: 'text', text: content }],
      },
    ],
    explanation: result.explanation,
    analysis: result.analysis,
    ...comparisonBody(result),
    ...endingBody(result, ignored),
    usage: {
      input_tokens: promptTokens,
      output_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
      web_searches: webSearches,
      unpriced_models: unlessEmpty(unpricedModels),
    },
    trace,
  };
}

/**
 * The strategy that a model id asks for (`docs/api.md`, Responses). Only an id with `ensemble` or a strategy's own word
 * in it asks for one: the one it names, with hyphens or underscores; else the one with that word; else the default. Any
 * other id is a single-model run, which is the default strategy over that one model.
 * @internal
 */
export function strategyInModel(model: string): Strategy {
  const rows: [string, Strategy][] = Object.entries(STRATEGIES);
  const hinted = rows.find(([, { modelWord }]) => modelWord !== undefined && model.includes(modelWord));
  if (!hinted && !model.includes('ensemble')) return DEFAULT_STRATEGY;
  const words = model.replaceAll('-', '_');
  const named = rows.find(([name]) => words.includes(name));
  return (named ?? hinted)?.[1] ?? DEFAULT_STRATEGY;
}
