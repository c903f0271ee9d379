import * as z from 'zod';
import { refuseModels } from '../../access/guard';
import { promptTokens } from '../../ensemble/estimate/estimate';
import { modelIdsOf } from '../../ensemble/open-ensemble';
import { isRefusal, type Refusal, refuse } from '../../errors';
import type { ApiRequest } from '../../http/route';
import { count, named } from '../../lib/reply-schemas';
import { answering } from '../answer/answering';
import { ensembleRequest } from '../ensemble-options/ensemble-request';
import { keyRoute } from '../shared/operation';
import { Message, MessageEvent, messageWire } from './message-wire';
import { CountRequest, HEARD, MessageRequest, unheardIn } from './request';

const VERSION = /^\d{4}-\d{2}-\d{2}$/;
const HEADERS = {
  'anthropic-version': z.string().regex(VERSION).optional().describe('Any date: all versions get the same replies.'),
  'anthropic-beta': z.string().optional().describe('No effect, which is said.'),
};
const MESSAGES = [{ role: 'user', content: 'Should our clinic book appointments online?' }];
const ONE_MODEL = { model: 'demo-ada', messages: MESSAGES };

const answer = answering({ wire: messageWire, ...HEARD });

/** One conversation in Anthropic's form. */
export const createMessage = keyRoute({
  at: 'POST /anthropic/v1/messages',
  endpoint: 'messages',
  limited: true,
  id: 'createMessage',
  tag: 'Anthropic',
  summary: 'Answer a conversation as the Messages API of Anthropic does',
  description:
    'Fields of Anthropic that are not listed are ignored; what is without effect is listed in `ensemble.ignored`.',
  headers: HEADERS,
  body: MessageRequest,
  examples: {
    one_model: { summary: 'One model', value: { ...ONE_MODEL, max_tokens: 1_000 } },
    ensemble: {
      summary: 'The default panel, streamed',
      value: { ...ONE_MODEL, model: 'ensemble', max_tokens: 1_000, stream: true },
    },
  },
  reply: Message,
  streams: 'on demand',
  events: [MessageEvent],
  run: async (deps, request, fields) => {
    const beta = request.headers?.['anthropic-beta'] === undefined ? [] : ['anthropic-beta'];
    const ignored = [...(fields.ignored ?? []), ...unheardIn(fields.sent), ...beta];
    return refuseVersion(request) ?? answer(deps, request, { ...fields, ignored });
  },
});

const TokenCount = named('AnthropicTokenCount', () =>
  z.object({ input_tokens: count('The estimate that budgets are held to before a call.') }),
);

/** Tokens of a prompt, estimated. */
export const countTokens = keyRoute({
  at: 'POST /anthropic/v1/messages/count_tokens',
  endpoint: 'messages',
  id: 'countMessageTokens',
  tag: 'Anthropic',
  summary: 'Estimate the tokens of a prompt',
  description: 'Calls no model and takes no rate slot.',
  headers: HEADERS,
  body: CountRequest,
  example: ONE_MODEL,
  reply: TokenCount,
  run: async (deps, request, fields) => {
    const asked = refuseVersion(request) ?? (await ensembleRequest(deps, fields, request.id));
    if (isRefusal(asked)) return asked;
    const barred = refuseModels(request.caller.limits, modelIdsOf(asked));
    if (barred) return barred;
    deps.guard.count(request.caller);
    return { body: { input_tokens: promptTokens(asked) } };
  },
});

/** A 400 where the version is no date; a request without one is as good. */
function refuseVersion({ headers }: ApiRequest): Refusal | undefined {
  const version = headers?.['anthropic-version']?.toString();
  if (version === undefined || VERSION.test(version)) return undefined;
  return refuse('invalid_request', 'Invalid anthropic-version: must be a date such as 2023-06-01');
}
