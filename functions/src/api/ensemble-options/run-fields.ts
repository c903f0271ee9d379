import * as z from 'zod';
import type { AnswerForm } from '../../ensemble/form/answer-form';
import type { Strategy } from '../../ensemble/run';
import type { ReasoningEffort } from '../../models/model';
import type { ToolOffer } from '../../models/tools';
import type { Messages } from '../shared/messages';
import { bool, numberBetween, objectOf, optional, plainText } from '../shared/schemas';
import { ensembleOptionsSchema } from './ensemble-options';
import { formSchemaField } from './forced-form';
import type { ToolFields } from './tool-offer';

const OBJECT_RULE = 'must be an object';
const NAME_RULE = 'must be 1 to 64 letters, digits, underscores and dashes';

/** A model id as a client may send it: any plain text, which passes through unchanged. */
export const modelField = plainText({ rule: 'must be a non-empty string', max: 200 });

const effort = optional(
  z.string('must be a string'),
  'Any level but `none` switches the explanation on, and has no other effect.',
);

/** Fields beside model and message, the same at every endpoint that runs an ensemble. */
export const runFields = {
  stream: bool().default(false).describe('Whether the reply comes as server-sent events.'),
  // Other values than false are none of this API's, and say nothing.
  store: z
    .unknown()
    .default(true)
    .transform((value) => value !== false)
    .meta({ type: 'boolean' })
    .describe('Whether a run with a trace is kept, so that it can be read again.'),
  temperature: optional(
    numberBetween(0, 2, 'must be a number between 0 and 2'),
    "Of the arbiter's judgement and of the answer; default: the provider's.",
  ),
  top_p: optional(numberBetween(0, 1, 'must be a number between 0 and 1'), 'Likewise.'),
  prompt_cache_key: optional(
    z.string('must be a string').max(1_000, 'at most 1,000 characters'),
    'Passed on to providers whose protocol has it: by this key they find a prompt in their caches.',
  ),
  reasoning: optional(
    objectOf({ effort }, OBJECT_RULE),
    'Whether an explanation is asked for, as clients of other services say it.',
  ),
  ai_ensemble: ensembleOptionsSchema
    .prefault({})
    .describe('Who takes part, and how; without it one model answers, or what a virtual id stands for.'),
};

/** Values of the body of every such request. */
export interface RunFields extends z.infer<z.ZodObject<typeof runFields>> {
  readonly model: string;
  readonly messages: Messages;
  /** Absent: what a virtual model stands for, or the default strategy. */
  readonly strategy?: Strategy;
  /** True if the endpoint takes the model's id for that of an ensemble unless it is a model's. */
  readonly namesEnsemble?: boolean;
  /** Absent: the answer may have any form. */
  readonly answerForm?: AnswerForm | undefined;
  /** Not read yet, in the form of chat completions. */
  readonly toolFields?: ToolFields;
  /** Tools of an endpoint that has read its own form of them. */
  readonly toolOffer?: ToolOffer | undefined;
  readonly reasoning_effort?: ReasoningEffort | undefined;
  /** Parts of the request without effect that its protocol knows of, in words for its sender. */
  readonly ignored?: readonly string[];
}

const name = z.string(NAME_RULE).regex(/^[\w-]{1,64}$/, NAME_RULE);
const description = z.string('must be a string').max(2_000, 'at most 2,000 characters');

const schemaFields = {
  name: name.describe('What models are told that the form is called.'),
  description: optional(description, 'What else they are told of it.'),
  schema: formSchemaField.describe('A JSON Schema, at most 100,000 characters as JSON.'),
  strict: optional(bool(), 'Whether the provider is to enforce the schema, where it can.'),
};
const type = z
  .enum(['text', 'json_object', 'json_schema'], 'must be one of text, json_object, json_schema')
  .describe('`json_object` is any JSON object, `json_schema` what the schema says.');

/** `response_format` of chat completions (`docs/api.md`, Structured output): undefined for `text`. */
export const responseFormatSchema = objectOf(
  {
    type,
    json_schema: optional(
      objectOf(schemaFields, OBJECT_RULE),
      'Required with the type `json_schema`, unless there is a `schema`.',
    ),
    schema: optional(formSchemaField, "A JSON Schema beside the type, as Together's API has it."),
  },
  OBJECT_RULE,
)
  .meta({ id: 'ResponseFormat' })
  .transform(({ type: kind, json_schema: form, schema: beside }, context): AnswerForm | undefined => {
    if (kind === 'json_schema' && form) return form as AnswerForm;
    if (kind !== 'text' && beside) return { name: kind, schema: beside };
    if (kind !== 'json_schema') return kind === 'json_object' ? { name: kind } : undefined;
    context.addIssue({ code: 'custom', path: ['json_schema'], message: OBJECT_RULE });
    return z.NEVER;
  });

const textFormat = objectOf({ type, ...z.object(schemaFields).partial().shape }, OBJECT_RULE)
  .meta({ id: 'TextFormat' })
  .transform(({ type: kind, ...form }, context): AnswerForm | undefined => {
    if (kind === 'text') return undefined;
    if (kind === 'json_object') return (form.schema ? { ...form, name: kind } : { name: kind }) as AnswerForm;
    if (form.name !== undefined && form.schema) return form as AnswerForm;
    const [path, message] = form.name === undefined ? ['name', NAME_RULE] : ['schema', OBJECT_RULE];
    context.addIssue({ code: 'custom', path: [path], message });
    return z.NEVER;
  });

/** `text` of responses: its `format` is the same, with the fields of the schema beside its type. */
export const textSchema = objectOf(
  { format: optional(textFormat, 'Which form the answer is to have.') },
  OBJECT_RULE,
).transform(({ format }) => format);
