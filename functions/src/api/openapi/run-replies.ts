import { MEASURES } from '../../ensemble/agreement/agreement';
import { CHECK_NAMES } from '../../ensemble/checks/answer-checks';
import type { JsonSchema } from '../schema-notes';
import { always, amount, count, type Fields, list, mapOf, ref, shape, text } from './shapes';

const share: JsonSchema = { type: 'number', minimum: 0, maximum: 1 };

const head: Fields = {
  created: count('Unix seconds of the request.'),
  model: text('The `model` of the request, unchanged.'),
};
const degraded = list(
  { type: 'string' },
  'In which ways the run was less than what was asked for, in words for people.',
);
const sources = list(ref('WebSource'), 'Pages found on the web, those first that the text refers to.');
const unsupportedUrls = list(
  { type: 'string' },
  'Addresses in the answer that stood in nothing it was made from, where the web was to be searched.',
);
const ignored = list({ type: 'string' }, 'What the request said without effect.');
const explanation = text("The arbiter's comparison of the answers, when asked for.");
const followUpPrompts = list({ type: 'string' }, 'Suggestions for the next message, when asked for.', { maxItems: 3 });
const candidates = list(ref('Candidate'), 'The last texts of the participants, when asked for.');
const agreementByPlace = mapOf(share, 'By place in a JSON answer, the share of candidates that say the same.');
const agreement: JsonSchema = {
  anyOf: [ref('Agreement'), agreementByPlace],
  description: 'By place where there are candidates and a schema, else of the whole run.',
};
const checks = list(ref('CheckResult'), 'How the answer stands to each of its checks, where it has any.');
const trace = list(ref('TraceEvent'), 'All that happened in the run, with `includeTrace`.');
const unpriced = list({ type: 'string' }, 'Ids of models that have no known price.');
const tokens = (name: string): JsonSchema => ({ ...ref('Forecast'), description: `${name}, at least and at most.` });
const planned: Fields = {
  promptTokens: tokens('Tokens of prompts'),
  completionTokens: tokens('Tokens of replies'),
  costUsd: tokens('US dollars'),
};

const plannedCall = shape({ modelId: text('Who is asked.'), purpose: text('What for.') });
const usageFields: Fields = {
  prompt_tokens: count('Of all model calls of the run.'),
  completion_tokens: count('Likewise.'),
  total_tokens: count('The sum of both.'),
  input_tokens: count('The same as `prompt_tokens`.'),
  output_tokens: count('The same as `completion_tokens`.'),
};
const usageDetails: Fields = {
  input_token_details: shape({ text_tokens: count('All of the input.'), cached_tokens: count('What was cached.') }),
  prompt_tokens_details: shape({ cached_tokens: count('What was cached.') }),
  output_token_details: shape({ text_tokens: count('All of the output.') }),
  completion_tokens_details: shape({ reasoning_tokens: count('What models have thought.') }),
  web_searches: count('Searches of the web, as providers bill them; part of the cost.'),
  unpriced_models: unpriced,
};

const delta = shape({}, { role: always('assistant'), content: text('A piece of the answer.') });
const chunkChoice = shape(
  {
    index: { type: 'integer', const: 0 },
    delta,
    finish_reason: { type: ['string', 'null'], enum: ['stop', null] },
  },
  { explanation, agreement, checks, followUpPrompts },
);

/** The replies of chat completions and of responses, and what they are made of. */
export const RUN_REPLIES: Readonly<Record<string, JsonSchema>> = {
  ChatCompletion: shape(
    {
      id: text('`chatcmpl-` and the milliseconds of the request.'),
      object: always('chat.completion'),
      ...head,
      choices: list(
        shape(
          {
            index: { type: 'integer', const: 0 },
            message: shape({ role: always('assistant'), content: text('The answer.') }, { explanation }),
            finish_reason: always('stop'),
          },
          { candidates, agreement, checks, followUpPrompts },
        ),
        'Always one.',
        { minItems: 1, maxItems: 1 },
      ),
      usage: ref('TokenUsage'),
    },
    { sources, unsupportedUrls, degraded, ignored, plan: ref('Plan'), trace },
  ),
  ChatCompletionChunk: shape(
    {
      id: text('The same in all chunks of a stream.'),
      object: always('chat.completion.chunk'),
      ...head,
      choices: list(chunkChoice, 'One, and none in the chunk with `usage`.', { maxItems: 1 }),
    },
    {
      status: text('What the run is at, in words for people.'),
      candidates: list(
        shape(
          {
            model: text('The display name of a participant.'),
            text: text('Its last text.'),
            reasoning: text('The part that it played, else empty.'),
          },
          { label: text('The label of its entry in `models`.'), sources },
        ),
        'When asked for, in a chunk of their own.',
      ),
      agreement: agreementByPlace,
      usage: shape(
        { ...usageFields, unifiedTokens: count('The cost in millionths of a US dollar, rounded up.') },
        usageDetails,
      ),
      sources,
      unsupportedUrls,
      degraded,
      ignored,
      plan: ref('Plan'),
      trace: ref('TraceEvent'),
    },
    'The JSON of one event of a stream. The stream ends with `data: [DONE]`.',
  ),
  StreamError: shape(
    { error: text('Which models failed, and how.') },
    {},
    'The last event of a stream whose run has failed; no `[DONE]` comes after it.',
  ),
  Response: shape(
    {
      id: text('`resp_` and the milliseconds of the request.'),
      object: always('response'),
      ...head,
      output: list(
        shape({
          type: always('message'),
          id: text('`msg_` and the milliseconds of the request.'),
          role: always('assistant'),
          content: list(shape({ type: always('text'), text: text('The answer.') }), 'Always one.'),
        }),
        'Always one.',
        { minItems: 1, maxItems: 1 },
      ),
      usage: shape(
        {
          input_tokens: count('Of all model calls of the run.'),
          output_tokens: count('Likewise.'),
          total_tokens: count('The sum of both.'),
        },
        { web_searches: count('Searches of the web, as providers bill them.'), unpriced_models: unpriced },
      ),
    },
    {
      ...{ explanation, candidates, agreement, checks, followUpPrompts, sources, unsupportedUrls },
      ...{ degraded, ignored, plan: ref('Plan'), trace },
    },
  ),
  TokenUsage: shape(usageFields, usageDetails, 'All model calls of the run, not only the answer.'),
  Candidate: shape(
    {
      modelId: text('The model of a participant.'),
      modelName: text('Its display name.'),
      response: text('Its last text.'),
      tokenUsage: shape({
        promptTokens: count('Of all calls of this participant.'),
        completionTokens: count('Likewise.'),
        totalTokens: count('The sum of both.'),
      }),
      executionTimeMs: amount('The sum of the times of these calls, in milliseconds.'),
      cost: amount('Of these calls, in US dollars.'),
    },
    { label: text('The label of its entry in `models`.'), sources },
  ),
  Agreement: shape(
    {
      share: share,
      measuredOn: text('What was compared.', { enum: [...MEASURES] }),
      words: text('What was counted, in one sentence.'),
    },
    {},
    'How far the participants agree, measured on what they have written: absent where that cannot be done.',
  ),
  CheckResult: shape(
    {
      check: text('The name of its option.', { enum: [...CHECK_NAMES] }),
      passed: { type: ['boolean', 'null'], description: 'Null: that cannot be told.' },
      words: text('What was found.'),
    },
    {},
    'How the answer stands to one of its checks.',
  ),
  WebSource: shape(
    { url: text('Its address, of http or https.'), title: text('Its title, in one line; else its host.') },
    {},
    'A page that a model found on the web. Nothing was fetched from it here.',
  ),
  Plan: shape(
    {
      strategy: text('Its name, or `pass_through` for one call to one model.'),
      waves: list(
        shape(
          { calls: list(plannedCall, 'Side by side.') },
          { round: count('Where the wave may be left out when the models agree early.') },
        ),
        'In order.',
      ),
      models: list(shape({ modelId: text('A model.'), calls: count('Calls to it.'), ...planned }), 'By model.'),
      calls: count('Of all models.'),
      ...planned,
      seconds: amount('When every wave is played.'),
    },
    { leftOut: list({ type: 'string' }, 'What the caps leave out.'), unpricedModels: unpriced },
    'What a run would do, in a reply to `dryRun`.',
  ),
  Forecast: shape({ low: amount('At least.'), high: amount('At most.') }),
};
