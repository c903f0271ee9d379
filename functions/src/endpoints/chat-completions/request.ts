import * as z from 'zod';
import { responseFormatSchema } from '../ensemble-options/response-format';
import { modelField, runFields, runNotes } from '../ensemble-options/run-fields';
import { messagesSchema } from '../messages';
import { withNotes } from '../schema-notes';
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
export const chatSchema = withNotes(objectOf(chatFields), {
  fields: {
    model:
      'A model id, which is the arbiter and, unless others are named, the only participant; or a virtual id such as `ensemble`.',
    messages: 'The conversation; its last message is the prompt.',
    ...runNotes,
    response_format: 'Which form the answer is to have.',
    max_tokens: 'Checked and not sent to models.',
    max_completion_tokens: 'Likewise.',
  },
}).transform(({ response_format: answerForm, ...fields }) => ({ ...fields, ...(answerForm && { answerForm }) }));
