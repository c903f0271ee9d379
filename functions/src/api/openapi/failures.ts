import type * as z from 'zod';
import { type Refusal, refuse } from '../../errors';
import { errorBodyAt } from '../../http/error-body';
import { MODELS_LISTED } from '../../models/model-policy';
import { AnthropicError, ContractError, JsonRpcError, OpenAiError } from '../shared/error-schemas';
import type { JsonOf, JsonSchema } from '../shared/schemas';

type Failure = readonly [description: string, example: Refusal, headers?: readonly string[]];

/** Statuses other than 200: meaning, one of the texts, and the headers that come with it. */
const FAILURES: Readonly<Record<number, Failure>> = {
  400: [
    'The request is malformed, a field of it is invalid, or every model refused it for good.',
    refuse('invalid_request', 'Invalid temperature: must be between 0 and 2'),
  ],
  401: ['The key is missing, malformed, unknown or expired.', refuse('unauthorized'), ['www-authenticate', 'link']],
  403: [
    'No active subscription, a budget used up, or the key may not use the endpoint or a model; in the dashboard also a sign-in that is not recent, or a request of another site.',
    refuse('no_subscription'),
  ],
  404: ['Nothing has this id.', refuse('not_found', `Unknown model: ${MODELS_LISTED}`)],
  408: ['The body took too long to arrive.', refuse('request_timeout')],
  409: ['The idempotency key was used for another request.', refuse('idempotency_conflict'), ['x-should-retry']],
  413: ['The body is larger than 4 MiB.', refuse('payload_too_large')],
  415: ['The body is compressed.', refuse('unsupported_encoding')],
  429: [
    "Too many requests, here or at the one model's provider.",
    refuse('rate_limited'),
    ['retry-after', 'x-should-retry', ...rateLimit()],
  ],
  500: [
    'No answer could be given.',
    refuse('models_failed', 'The model failed: demo-ada (overloaded)'),
    ['retry-after', 'x-should-retry', ...rateLimit()],
  ],
  503: [
    'Not now: no memory is free, or the server is ending or unwell.',
    refuse('restarting'),
    ['retry-after', 'x-should-retry'],
  ],
};

/** The headers of replies, by name. */
export const HEADERS: Readonly<Record<string, JsonSchema>> = {
  'x-request-id': header('32 hexadecimal digits, new for each request.', '^[0-9a-f]{32}$'),
  'x-ratelimit-limit-requests': header('Requests in any 60 seconds.', '^\\d+$'),
  'x-ratelimit-remaining-requests': header('Those left after this one.', '^\\d+$'),
  'x-ratelimit-reset-requests': header('Seconds until the next slot frees, with the unit: `45s`.', '^\\d+s$'),
  'retry-after': header('Whole seconds after which to ask again.', '^\\d+$'),
  'x-should-retry': header(
    '`false` where asking again would pay the models again, `true` where it would not.',
    '^(true|false)$',
  ),
  'idempotent-replayed': header('`true` on a reply that another request made.', '^true$'),
  'www-authenticate': header('How a key has to be sent.', '^Bearer'),
  link: header('Where this reference is, seen from the path that was asked.', '^<.*docs>; rel="help"$'),
};

/** Names of the headers of the rate limit. */
export function rateLimit(): string[] {
  return ['x-ratelimit-limit-requests', 'x-ratelimit-remaining-requests', 'x-ratelimit-reset-requests'];
}

/** References to headers of the document. */
export function headerRefs(names: readonly string[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Schemas of errors by the tag of operations that answer in the form of another protocol, and where they are. */
const PROTOCOLS: Readonly<Record<string, readonly [path: string, schema: z.ZodType]>> = {
  OpenAI: ['/openai', OpenAiError],
  Anthropic: ['/anthropic', AnthropicError],
  MCP: ['/mcp', JsonRpcError],
};
const CONTRACT = ['/v1', ContractError] as const;
const REQUEST_ID = '0198c5e0a7b24c6d8e9f0a1b2c3d4e5f';

/** Reference to the reply other than 200 to operations with a tag. */
export type FailureRef = (tag: string, status: number) => JsonSchema;

/** Writes replies other than 200, each once, to `responses`. */
export function failureWriter(responses: Record<string, JsonSchema>, jsonOf: JsonOf): FailureRef {
  return (tag, status) => {
    const name = `${tag in PROTOCOLS ? tag : ''}Status${status}`;
    const [path, schema] = PROTOCOLS[tag] ?? CONTRACT;
    const [description, refusal, headers = []] = FAILURES[status] as Failure;
    const example = errorBodyAt({ path, requestId: REQUEST_ID }, refusal);
    const content = { 'application/json': { schema: jsonOf(schema), example } };
    responses[name] ??= { description, headers: headerRefs(['x-request-id', ...headers]), content };
    return { $ref: `#/components/responses/${name}` };
  };
}

function header(description: string, pattern: string): JsonSchema {
  return { description, schema: { type: 'string', pattern } };
}
