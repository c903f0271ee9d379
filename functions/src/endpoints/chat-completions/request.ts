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
  tools: z.unknown().optional(),
  tool_choice: z.unknown().optional(),
  parallel_tool_calls: z.unknown().optional(),
  max_tokens: positiveInteger,
  max_completion_tokens: positiveInteger,
};

/** Acted on where one model answers alone. */
export const TOOL_FIELDS: readonly string[] = ['tools', 'tool_choice', 'parallel_tool_calls'];

/** The fields that are always acted on; `max_tokens` and its newer name are only looked at. */
export const CHAT_FIELDS = Object.keys(chatFields).filter(
  (name) => !name.startsWith('max_') && !TOOL_FIELDS.includes(name),
);

/** The body of a chat completion (`docs/api.md`, Chat completions); fields without effect are not even looked at. */
export const chatSchema = objectOf(chatFields).transform(
  ({ response_format: answerForm, tools, tool_choice, parallel_tool_calls, ...fields }) => ({
    ...fields,
    toolFields: { tools, tool_choice, parallel_tool_calls },
    ...(answerForm && { answerForm }),
  }),
);
