import * as z from 'zod';
import { FILES_MAX, MEDIA_TYPES } from '../../byok/attachments';
import { modelField, runFields } from '../ensemble-options/run-fields';
import { messagesSchema } from '../shared/messages';
import { listOf, objectOf } from '../shared/schemas';

const file = objectOf(
  {
    name: z.string('must be a string').min(1, 'must not be empty').max(200, 'at most 200 characters'),
    media_type: z.enum(MEDIA_TYPES, `must be one of ${MEDIA_TYPES.join(', ')}`),
    data: z.string('must be base64').min(1, 'must not be empty'),
  },
  'must be an object with name, media_type and data',
);

/** Body of a run on the playground: a chat completion with files, and router models among the models. */
export const PlaygroundRequest = objectOf({
  model: modelField.describe('Who writes the answer: a platform model, one of your router models, or a virtual id.'),
  messages: messagesSchema,
  ...runFields,
  // Not as lenient as for clients of other services: nobody is to keep by mistake what was not to be kept.
  store: z
    .boolean('must be a boolean')
    .default(true)
    .describe('Whether the run is kept, so that it can be seen again and goes on when the connection is lost.'),
  attachments: listOf(file, { rule: 'must be an array', max: FILES_MAX, tooLong: `at most ${FILES_MAX} files` })
    .optional()
    .describe('Images for models with vision; PDF and JSON become text for all.'),
}).meta({ id: 'PlaygroundRequest' });

export type PlaygroundFields = z.infer<typeof PlaygroundRequest>;
