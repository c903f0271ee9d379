/** The error body (docs/api.md, Errors), whole: no row may carry another key. */
export function errorBody(message: unknown, type = 'invalid_request_error'): object {
  return { error: { message, type } };
}

/** A 400 whose message names the field and then says what it must be. */
export function naming(field: string): unknown {
  const literal = field.replace(/[[\].]/g, '\\$&');
  return errorBody(expect.stringMatching(new RegExp(`^Invalid ${literal}: .`)));
}

/** Error texts that are promised. */
export const UNAUTHORIZED = errorBody('Unauthorized: Invalid API key');
export const NO_SUBSCRIPTION = errorBody(
  'API access requires an active Pro subscription. Please upgrade or renew your plan.',
  'permission_error',
);
export const RATE_LIMITED = errorBody('Rate limit exceeded', 'rate_limit_error');
export const INVALID_MESSAGES = errorBody('Invalid messages array');
export const INVALID_INPUT = errorBody('Invalid input string');
/** The message for an `input` as OpenAI also takes it. */
export const INPUT_IS_LIST = errorBody(
  'Invalid input string: a list of items is not supported here; use POST /v1/chat/completions with messages; in the AI SDK .chat(model), in LangChain use_responses_api=False or useResponsesApi: false, in n8n Use Responses API off, in the Agents SDK OpenAIChatCompletionsModel',
);
const DATE_RULE = 'must be Unix seconds or a date such as 2026-01-31 or 2026-01-31T12:00:00%2B01:00';
export const INVALID_DATE = invalidDate('start_date');

/** The message for a date, by default one that cannot be read. */
export function invalidDate(parameter: string, flaw = DATE_RULE): object {
  return errorBody(`Invalid date format: ${parameter} ${flaw}`);
}
/** The text of a fault that is nobody's business. */
export const INTERNAL = errorBody('Internal server error', 'api_error');
