import * as z from 'zod';
import { isRefusal } from '../errors';
import { answerRun } from './answer-run';
import type { Route } from './endpoint';
import { ensembleRequest } from './ensemble-request';
import type { Messages } from './messages';
import { objectOf, readBody } from './parse';
import { responseBody } from './response-body';
import { modelField, runFields } from './run-fields';
import type { Services } from './services';
import { strategyInModel } from './strategy-in-model';

const INVALID_INPUT = 'Invalid input string';

/** The request (spec "ResponsesRequest"). `previous_response_id` has no effect and is not even looked at. */
const schema = objectOf(
  {
    model: modelField,
    input: z.string(INVALID_INPUT).regex(/\S/, INVALID_INPUT),
    ...runFields,
  },
  'must be a JSON object',
);

/** `POST /v1/responses`: one prompt without a conversation; conversations are not stored. */
export function responses(services: Services): Route {
  return {
    method: 'POST',
    path: '/v1/responses',
    limited: true,
    handle: async (request) => {
      const asked = await readBody(request, schema);
      if (isRefusal(asked)) return asked;
      const messages: Messages = { prompt: asked.input, history: [] };
      const strategy = strategyInModel(asked.model);
      return answerRun(services, request, {
        endpoint: 'responses',
        ensemble: ensembleRequest(services, asked, { messages, strategy }),
        fields: asked,
        // The spec's `resp_<chatId>` is for stored chats, and there are none.
        idPrefix: 'resp_',
        body: responseBody,
      });
    },
  };
}
