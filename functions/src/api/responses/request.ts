import * as z from 'zod';
import { textSchema } from '../ensemble-options/response-format';
import { modelField, runFields, runNotes } from '../ensemble-options/run-fields';
import { withNotes } from '../schema-notes';
import { objectOf } from '../schemas';
import { strategyInModel } from './strategy-in-model';

const INVALID_INPUT = 'Invalid input string';
/** With what makes libraries that ask this endpoint by themselves ask the other one. */
const INPUT_IS_LIST =
  `${INVALID_INPUT}: a list of items is not supported here; use POST /v1/chat/completions with messages; ` +
  'in the AI SDK .chat(model), in LangChain use_responses_api=False or useResponsesApi: false, ' +
  'in n8n Use Responses API off, in the Agents SDK OpenAIChatCompletionsModel';

const responseFields = {
  model: modelField,
  input: z
    .string({ error: ({ input: value }) => (Array.isArray(value) ? INPUT_IS_LIST : INVALID_INPUT) })
    .regex(/\S/, INVALID_INPUT),
  ...runFields,
  text: textSchema.optional(),
};

/** The fields that are acted on. */
export const RESPONSE_FIELDS = Object.keys(responseFields);

/** The body of a request for a response (`docs/api.md`, Responses): one message without history. */
export const responsesSchema = withNotes(objectOf(responseFields), {
  fields: {
    model: 'As in a chat completion; it may also name a strategy, as the virtual ids do.',
    input: 'The prompt, not blank.',
    ...runNotes,
    text: 'Only `format` is read: which form the answer is to have.',
  },
}).transform(({ input, text: answerForm, ...fields }) => ({
  ...fields,
  ...(answerForm && { answerForm }),
  messages: { message: input, history: [], systemMessages: [] },
  strategy: strategyInModel(fields.model),
  namesEnsemble: /ensemble|panel/.test(fields.model),
}));
