import * as z from 'zod';
import { responseFormatSchema } from '../ensemble-options/response-format';
import { modelField, runFields } from '../ensemble-options/run-fields';
import { messagesSchema } from '../messages';
import { objectOf } from '../schemas';

const positiveInteger = z
  .int('must be an integer greater than 0')
  .positive('must be an integer greater than 0')
  .optional();

/** The body of a chat completion (`docs/api.md`, Chat completions); fields without effect are not even looked at. */
export const chatSchema = objectOf({
  model: modelField,
  messages: messagesSchema,
  ...runFields,
  response_format: responseFormatSchema.optional(),
  tools: z.unknown().optional(),
  tool_choice: z.unknown().optional(),
  parallel_tool_calls: z.unknown().optional(),
  max_tokens: positiveInteger,
  max_completion_tokens: positiveInteger,
}).transform(({ response_format: answerForm, tools, tool_choice, parallel_tool_calls, ...fields }) => ({
  ...fields,
  ...(answerForm && { answerForm }),
  toolFields: { tools, tool_choice, parallel_tool_calls },
}));
