import * as z from 'zod';
import { responseFormatSchema } from '../ensemble-options/response-format';
import { modelField, runFields, runNotes } from '../ensemble-options/run-fields';
import { toolFields } from '../ensemble-options/tool-offer';
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
  ...toolFields,
  max_tokens: positiveInteger,
  max_completion_tokens: positiveInteger,
};

/** Acted on where one model answers alone. */
export const TOOL_FIELDS: readonly string[] = Object.keys(toolFields);

/** The fields that are always acted on; `max_tokens` and its newer name are only looked at. */
export const CHAT_FIELDS = Object.keys(chatFields).filter(
  (name) => !name.startsWith('max_') && !TOOL_FIELDS.includes(name),
);

/** The body of a chat completion (`docs/api.md`, Chat completions); fields without effect are not even looked at. */
export const chatSchema = withNotes(objectOf(chatFields), {
  fields: {
    model:
      'A model id, which is the arbiter and, unless others are named, the only participant; or a virtual id such as `ensemble`.',
    messages: 'The conversation; its last message is the prompt.',
    ...runNotes,
    response_format: 'Which form the answer is to have.',
    tools: 'The functions that a model that answers alone may call; the service calls none.',
    tool_choice: 'Whether one is to be called; an ensemble refuses a choice that demands it.',
    parallel_tool_calls: 'Whether several may be called at once.',
    max_tokens: 'Checked and not sent to models.',
    max_completion_tokens: 'Likewise.',
  },
}).transform(({ response_format: answerForm, tools, tool_choice, parallel_tool_calls, ...fields }) => ({
  ...fields,
  toolFields: { tools, tool_choice, parallel_tool_calls },
  ...(answerForm && { answerForm }),
}));
