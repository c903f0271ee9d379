import * as z from 'zod';
import type { AnswerForm } from '../../ensemble/form/answer-form';
import { jsonSchemaField, objectOf } from '../shared/schemas';

/** Every model of a run is shown the schema. */
const SCHEMA_CHARACTERS_MAX = 100_000;
const DESCRIPTION_CHARACTERS_MAX = 2_000;

const OBJECT_RULE = 'must be an object';
const NAME_RULE = 'must be 1 to 64 letters, digits, underscores and dashes';

const schemaFields = {
  name: z
    .string(NAME_RULE)
    .regex(/^[\w-]{1,64}$/, NAME_RULE)
    .describe('What models are told that the form is called.'),
  description: z
    .string('must be a string')
    .max(DESCRIPTION_CHARACTERS_MAX, 'at most 2,000 characters')
    .optional()
    .describe('What else they are told of it.'),
  schema: jsonSchemaField(SCHEMA_CHARACTERS_MAX).describe('A JSON Schema, at most 100,000 characters as JSON.'),
  strict: z
    .boolean('must be a boolean')
    .optional()
    .describe('Whether the provider is to enforce the schema, where it can.'),
};
const type = z
  .enum(['text', 'json_object', 'json_schema'], 'must be one of text, json_object, json_schema')
  .describe('`json_object` is any JSON object, `json_schema` what the schema says.');

/** `response_format` of chat completions (`docs/api.md`, Structured output): undefined for `text`. */
export const responseFormatSchema = objectOf(
  {
    type,
    json_schema: objectOf(schemaFields, OBJECT_RULE)
      .optional()
      .describe('Required with the type `json_schema`, unless there is a `schema`.'),
    schema: schemaFields.schema.optional().describe("A JSON Schema beside the type, as Together's API has it."),
  },
  OBJECT_RULE,
)
  .meta({ id: 'ResponseFormat' })
  .transform(({ type: kind, json_schema: form, schema: beside }, context): AnswerForm | undefined => {
    if (kind === 'json_schema' && form) return known(form);
    if (kind !== 'text' && beside) return { name: kind, schema: beside };
    if (kind !== 'json_schema') return formWithoutSchema(kind);
    context.addIssue({ code: 'custom', path: ['json_schema'], message: OBJECT_RULE });
    return z.NEVER;
  });

/** `text.format` of responses: the same, with the fields of the schema beside its type. */
const textFormatSchema = objectOf({ type, ...z.object(schemaFields).partial().shape }, OBJECT_RULE)
  .meta({ id: 'TextFormat' })
  .transform(({ type: kind, name, schema: held, ...more }, context): AnswerForm | undefined => {
    if (kind === 'json_object' && held) return known({ name: kind, schema: held, ...more });
    if (kind !== 'json_schema') return formWithoutSchema(kind);
    if (name !== undefined && held) return known({ name, schema: held, ...more });
    const [path, message] = name === undefined ? ['name', NAME_RULE] : ['schema', OBJECT_RULE];
    context.addIssue({ code: 'custom', path: [path], message });
    return z.NEVER;
  });

/** `text` of responses. */
export const textSchema = objectOf(
  { format: textFormatSchema.optional().describe('Which form the answer is to have.') },
  OBJECT_RULE,
).transform(({ format }) => format);

function formWithoutSchema(kind: 'text' | 'json_object'): AnswerForm | undefined {
  return kind === 'json_object' ? { name: kind } : undefined;
}

function known({ description, strict, ...form }: z.infer<z.ZodObject<typeof schemaFields>>): AnswerForm {
  return { ...form, ...(description !== undefined && { description }), ...(strict !== undefined && { strict }) };
}
