import type * as z from 'zod';
import { chatSchema } from '../chat-completions/request';
import { evaluationSchema } from '../evaluations/request';
import { responsesSchema } from '../responses/request';
import type { JsonSchema } from '../schema-notes';
import { CHAT_EXAMPLES, EVALUATION_EXAMPLES, type Examples, RESPONSES_EXAMPLES } from './examples';

/** One endpoint as the document tells of it. */
export interface Operation {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: string;
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Whether anybody may ask, without a key. */
  readonly open?: boolean;
  /** Whether it is asked by users who are signed in, and not with a key. */
  readonly signedIn?: boolean;
  readonly body?: { readonly name: string; readonly schema: z.ZodType; readonly examples: Examples };
  readonly parameters?: readonly JsonSchema[];
  /** The name of what a 200 holds. */
  readonly reply: string;
  /** Whether it may come as server-sent events as well, or always does. */
  readonly streams?: boolean | 'always';
  /** Whether it takes a rate slot. */
  readonly limited?: boolean;
  /** What it may be refused with. */
  readonly failures: readonly number[];
}

const POST_FAILURES = [400, 401, 403, 408, 409, 413, 415, 429, 500, 503];
const GET_FAILURES = [400, 401, 403, 429, 500, 503];
const OPEN_FAILURES = [400, 503];

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Made up by the client, anew for each question: however often it is sent, the question is asked and paid once.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
};
const dateOf = (name: string, fallback: string): JsonSchema => ({
  name,
  in: 'query',
  description: `Unix seconds, or a date such as 2026-01-31. Default: ${fallback}. The months that the range touches count whole.`,
  schema: { type: 'string', maxLength: 64 },
});

/** All endpoints. */
export const OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    path: '/v1/chat/completions',
    id: 'createChatCompletion',
    tag: 'Answers',
    summary: 'Answer a conversation with one model or an ensemble',
    description: 'Fields of OpenAI that are not listed are ignored. Null counts as absent.',
    body: { name: 'ChatCompletionRequest', schema: chatSchema, examples: CHAT_EXAMPLES },
    parameters: [idempotencyKey],
    reply: 'ChatCompletion',
    streams: true,
    limited: true,
    failures: POST_FAILURES,
  },
  {
    method: 'post',
    path: '/v1/responses',
    id: 'createResponse',
    tag: 'Answers',
    summary: 'Answer one input string in the same way',
    description: 'Without history. A stream has the chunks of chat completions.',
    body: { name: 'ResponseRequest', schema: responsesSchema, examples: RESPONSES_EXAMPLES },
    parameters: [idempotencyKey],
    reply: 'Response',
    streams: true,
    limited: true,
    failures: POST_FAILURES,
  },
  {
    method: 'post',
    path: '/v1/evaluations',
    id: 'createEvaluation',
    tag: 'Evaluations',
    summary: 'Score given responses with judge models',
    body: { name: 'EvaluationRequest', schema: evaluationSchema, examples: EVALUATION_EXAMPLES },
    parameters: [idempotencyKey],
    reply: 'EvaluationList',
    limited: true,
    failures: POST_FAILURES,
  },
  {
    method: 'get',
    path: '/v1/runs/{id}/events',
    id: 'getRunEvents',
    tag: 'Answers',
    summary: 'Follow a run that has a trace, from its beginning or from any event',
    description: 'Each event has its `seq` as id. The stream ends behind the event `end`.',
    parameters: [
      {
        name: 'id',
        in: 'path',
        required: true,
        description: 'The id of a run of the same user: the `x-request-id` of its reply.',
        schema: { type: 'string' },
        example: '0123456789abcdef0123456789abcdef',
      },
      {
        name: 'Last-Event-ID',
        in: 'header',
        description: 'The last event that the client has; default: none.',
        schema: { type: 'string', pattern: '^\\d{1,9}$' },
      },
      {
        name: 'after',
        in: 'query',
        description: 'The same, for clients that send no header of their own.',
        schema: { type: 'string', pattern: '^\\d{1,9}$' },
      },
    ],
    reply: 'TraceEvent',
    streams: 'always',
    failures: [...GET_FAILURES, 404],
  },
  {
    method: 'get',
    path: '/v1/usage',
    id: 'getUsage',
    tag: 'Account',
    summary: "Report tokens and cost of the key's owner",
    parameters: [dateOf('start_date', 'the start of the current UTC month'), dateOf('end_date', 'now')],
    reply: 'UsageList',
    limited: true,
    failures: GET_FAILURES,
  },
  {
    method: 'get',
    path: '/v1/models',
    id: 'listModels',
    tag: 'Models',
    summary: 'List the models served and the virtual ids',
    reply: 'ModelList',
    failures: GET_FAILURES,
  },
  {
    method: 'get',
    path: '/v1/models/{id}',
    id: 'getModel',
    tag: 'Models',
    summary: 'Give one of them',
    parameters: [
      {
        name: 'id',
        in: 'path',
        required: true,
        description: 'The id of a model; slashes in it may be encoded or not.',
        schema: { type: 'string' },
        example: 'ensemble',
      },
    ],
    reply: 'Model',
    failures: [...GET_FAILURES, 404],
  },
  {
    method: 'get',
    path: '/v1/openapi.json',
    id: 'getDescription',
    tag: 'Server',
    summary: 'This description',
    open: true,
    reply: 'Description',
    failures: OPEN_FAILURES,
  },
  {
    method: 'get',
    path: '/health',
    id: 'getHealth',
    tag: 'Server',
    summary: 'Tell whether the server is well',
    open: true,
    parameters: [
      {
        name: 'deep',
        in: 'query',
        description: '`1`: whether the books are up to date as well, for operators.',
        schema: { type: 'string', enum: ['1'] },
      },
    ],
    reply: 'Health',
    failures: OPEN_FAILURES,
  },
  {
    method: 'get',
    path: '/',
    id: 'getHome',
    tag: 'Server',
    summary: 'Tell where the API is',
    open: true,
    reply: 'Home',
    failures: OPEN_FAILURES,
  },
];
