import { errorBody, type Refusal, statusOf } from '../errors';

/** Request that a reply refuses. */
interface Refused {
  readonly path: string;
  readonly requestId: string;
}

/** Bodies of errors where clients of other protocols ask, by the address at and below which they do. */
const BODIES: readonly (readonly [base: string, body: (refusal: Refusal, requestId: string) => object])[] = [
  ['/openai', openAiError],
  ['/anthropic', anthropicError],
  ['/mcp', jsonRpcError],
];

/** Body of an error reply, in the form of the protocol that is spoken at the path. */
export function errorBodyAt({ path, requestId }: Refused, refusal: Refusal): object {
  const body = BODIES.find(([base]) => `${path}/`.startsWith(`${base}/`))?.[1];
  return body?.(refusal, requestId) ?? errorBody(refusal.code, refusal.text);
}

/** An error as OpenAI's API has it; also the last event of a stream that has failed. */
export function openAiError({ code, text }: Pick<Refusal, 'code' | 'text'>) {
  return { error: { ...errorBody(code, text).error, param: null, code: OPENAI_CODES[statusOf(code)] ?? null } };
}

/** Codes by which clients of OpenAI tell errors. */
const OPENAI_CODES: Readonly<Record<number, string>> = {
  401: 'invalid_api_key',
  429: 'rate_limit_exceeded',
  500: 'server_error',
  503: 'server_error',
};

/** Types of errors in Anthropic's API by status; all others are `invalid_request_error`. */
const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  503: 'overloaded_error',
};

/** An error as Anthropic's API has it; also the last event of a stream that has failed. */
export function anthropicError({ code, text, reason }: Pick<Refusal, 'code' | 'text' | 'reason'>, requestId?: string) {
  const type = ANTHROPIC_TYPES[statusOf(code)] ?? 'invalid_request_error';
  const details = reason && { details: { error_code: reason } };
  return { type: 'error', error: { type, message: text, ...details }, ...(requestId && { request_id: requestId }) };
}

const INVALID_REQUEST = -32_600;
const SERVER_ERROR = -32_000;

/** An error as JSON-RPC has it, where the message that it answers was not read. */
function jsonRpcError({ code, text }: Pick<Refusal, 'code' | 'text'>) {
  const error = { code: statusOf(code) === 400 ? INVALID_REQUEST : SERVER_ERROR, message: text };
  return { jsonrpc: '2.0', id: null, error };
}
