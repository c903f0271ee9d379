import * as z from 'zod';
import { DEFAULT_STRATEGY } from '../ensemble/strategy-names';
import { isRefusal } from '../errors';
import { answerRun } from './answer-run';
import { completionBody } from './completion-body';
import type { Route } from './endpoint';
import { ensembleRequest } from './ensemble-request';
import { messagesSchema } from './messages';
import { objectOf, readBody } from './parse';
import { modelField, runFields } from './run-fields';
import type { Services } from './services';
import { virtualModel } from './virtual-models';

const positiveInteger = z
  .int('must be an integer greater than 0')
  .positive('must be an integer greater than 0')
  .optional();

/** The request (spec "ChatCompletionRequest"). Fields that are accepted without effect are not even looked at. */
const schema = objectOf(
  {
    model: modelField,
    messages: messagesSchema,
    ...runFields,
    max_tokens: positiveInteger,
    max_completion_tokens: positiveInteger,
  },
  'must be a JSON object',
);

/** `POST /v1/chat/completions`: one conversation, several models, one answer. */
export function chatCompletions(services: Services): Route {
  return {
    method: 'POST',
    path: '/v1/chat/completions',
    limited: true,
    handle: async (request) => {
      const chat = await readBody(request, schema);
      if (isRefusal(chat)) return chat;
      const { messages, model } = chat;
      const strategy = virtualModel(model)?.strategy ?? DEFAULT_STRATEGY;
      return answerRun(services, request, {
        endpoint: 'chat.completions',
        ensemble: ensembleRequest(services, chat, { messages, strategy }),
        fields: chat,
        idPrefix: 'chatcmpl-',
        body: completionBody,
      });
    },
  };
}
