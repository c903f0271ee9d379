import * as z from 'zod';
import { always, named, oneOf, text } from '../../lib/reply-schemas';

const message = () => text('What is wrong, and what to do.');

export const ContractError = named('Error', () =>
  z.object({
    error: z.object({
      message: message(),
      type: oneOf(
        [
          'invalid_request_error',
          'permission_error',
          'recent_login_required',
          'app_check_required',
          'rate_limit_error',
          'api_error',
        ],
        'The kind of error.',
      ),
    }),
  }),
);

export const OpenAiError = named(
  'OpenAiError',
  () =>
    z.object({
      error: z.object({
        message: message(),
        type: text('The kind of error.'),
        param: z.null(),
        code: text('A word for it, where there is one.').nullable(),
      }),
    }),
  'An error reply, or the last event of a stream whose run has failed; no `[DONE]` comes after it.',
);

export const AnthropicError = named('AnthropicError', () =>
  z.object({
    type: always('error'),
    error: z.object({
      type: text('The kind of error.'),
      message: message(),
      details: z.object({ error_code: text('A word that clients of Anthropic go by.') }).optional(),
    }),
    request_id: text('The header `x-request-id` again.'),
  }),
);

export const JsonRpcError = named('JsonRpcError', () =>
  z.object({
    jsonrpc: always('2.0'),
    id: z.union([z.string(), z.number(), z.null()]).describe('Null where the message was not read.'),
    error: z.object({ code: z.int(), message: message(), data: z.unknown().optional() }),
  }),
);
