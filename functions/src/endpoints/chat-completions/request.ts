import * as z from 'zod';
import { responseFormatSchema } from '../ensemble-options/response-format';
import { modelField, runFields } from '../ensemble-options/run-fields';
import { messagesSchema } from '../messages';
import { objectOf } from '../schemas';

const positiveInteger = z
  .int('must be an integer greater than 0')
  .positive('must be an integer greater than 0')
  .optional();

const chatFields = {
  model: modelField,
  messages: messagesSchema,
  ...runFields,
  response_format: responseFormatSchema.optional(),
  max_tokens: positiveInteger,
  max_completion_tokens: positiveInteger,
};

/** The fields that are acted on; `max_tokens` and its newer name are only looked at. */
export const CHAT_FIELDS = Object.keys(chatFields).filter((name) => !name.startsWith('max_'));

/** The body of a chat completion (`docs/api.md`, Chat completions); fields without effect are not even looked at. */
export const chatSchema = objectOf(chatFields).transform(({ response_format: answerForm, ...fields }) => ({
  ...fields,
  ...(answerForm && { answerForm }),
}));
