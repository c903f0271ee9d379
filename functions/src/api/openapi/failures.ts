import { errorBody, refuse } from '../../errors';
import { MODELS_LISTED } from '../../models/model-policy';
import type { JsonSchema } from '../shared/schemas';

type Failure = readonly [description: string, example: ReturnType<typeof errorBody>, headers?: readonly string[]];

const restarting = refuse('restarting');
const unauthorized = refuse('unauthorized');

/** Statuses other than 200: meaning, one of the texts, and the headers that come with it. */
const FAILURES: Readonly<Record<number, Failure>> = {
  400: [
    'The request is malformed, a field of it is invalid, or every model refused it for good.',
    exampleOf('invalid_request', 'Invalid temperature: must be between 0 and 2'),
  ],
  401: [
    'The key is missing, malformed, unknown or expired.',
    errorBody('unauthorized', unauthorized.text),
    ['www-authenticate', 'link'],
  ],
  403: [
    'No active subscription, a budget used up, or the key may not use the endpoint or a model; in the dashboard also a sign-in that is not recent, or a request of another site.',
    exampleOf('no_subscription'),
  ],
  404: ['Nothing has this id.', exampleOf('not_found', `Unknown model: ${MODELS_LISTED}`)],
  408: ['The body took too long to arrive.', exampleOf('request_timeout')],
  409: ['The idempotency key was used for another request.', exampleOf('idempotency_conflict'), ['x-should-retry']],
  413: ['The body is larger than 4 MiB.', exampleOf('payload_too_large')],
  415: ['The body is compressed.', exampleOf('unsupported_encoding')],
  429: [
    "Too many requests, here or at the one model's provider.",
    exampleOf('rate_limited'),
    ['retry-after', 'x-should-retry', ...rateLimit()],
  ],
  500: [
    'No answer could be given.',
    exampleOf('models_failed', 'The model failed: demo-ada (overloaded)'),
    ['retry-after', 'x-should-retry', ...rateLimit()],
  ],
  503: [
    'Not now: no memory is free, or the server is ending or unwell.',
    errorBody('restarting', restarting.text),
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

/** Replies other than 200, by the name under which operations refer to them. */
export function failureResponses(): JsonSchema {
  const rows = Object.entries(FAILURES).map(([status, [description, example, headers = []]]) => {
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, example } };
    return [`Status${status}`, { description, headers: headerRefs(['x-request-id', ...headers]), content }];
  });
  return Object.fromEntries(rows);
}

function exampleOf(code: Parameters<typeof refuse>[0], text?: string): ReturnType<typeof errorBody> {
  return errorBody(code, refuse(code, text).text);
}

function header(description: string, pattern: string): JsonSchema {
  return { description, schema: { type: 'string', pattern } };
}
