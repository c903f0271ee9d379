import * as z from 'zod';
import { messagesSchema } from '../endpoints/messages';
import { objectOf } from '../endpoints/parse';
import { modelField, runFields } from '../endpoints/run-fields';
import { attachmentsSchema } from './attachments';

const TOOLS_MAX = 16;
const tool = z.string('must be a tool name').regex(/^[\w.-]{1,64}$/, 'must be a tool name');

/** What the dashboard's playground asks for: a chat completion, with files, tools, and router models among the models. */
export const playgroundSchema = objectOf(
  {
    model: modelField,
    messages: messagesSchema,
    ...runFields,
    attachments: attachmentsSchema.optional(),
    tools: z.array(tool, 'must be an array').max(TOOLS_MAX, `at most ${TOOLS_MAX} tools`).optional(),
  },
  'must be a JSON object',
);

/** A playground request, parsed. */
export type PlaygroundFields = z.infer<typeof playgroundSchema>;
