import type * as z from 'zod';

/** A JSON Schema, as `GET /v1/openapi.json` shows it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schema of a zod schema's input. */
export type JsonOf = (schema: z.ZodType) => JsonSchema;

/** What is said of an object beside its rules: its name, where it is told apart by one, and a sentence for each field. */
interface ObjectNotes<Field extends PropertyKey> {
  readonly name?: string;
  readonly fields: Readonly<Record<Field, string>>;
}

/*
 * Kept beside the schemas and not in them: a look-up by identity costs nothing while requests are validated. Weak, as
 * schemas of tests come and go.
 */
const FORMS = new WeakMap<object, (jsonOf: JsonOf) => JsonSchema>();
const NOTES = new WeakMap<object, ObjectNotes<string>>();

/** Says in JSON Schema what a schema takes, where its rules are code that zod cannot tell. */
export function withForm<S extends z.ZodType>(schema: S, form: (jsonOf: JsonOf) => JsonSchema): S {
  FORMS.set(schema, form);
  return schema;
}

/** Says in words what each field of an object is; the compiler asks for all of them. */
export function withNotes<S extends z.ZodRawShape>(
  schema: z.ZodPipe<z.ZodTransform, z.ZodObject<S>>,
  notes: ObjectNotes<keyof S>,
): z.ZodPipe<z.ZodTransform, z.ZodObject<S>> {
  NOTES.set(schema, notes);
  return schema;
}

/** What `withForm` has said of a schema. */
export function formOf(schema: object): ((jsonOf: JsonOf) => JsonSchema) | undefined {
  return FORMS.get(schema);
}

/** What `withNotes` has said of a schema. */
export function notesOf(schema: object): ObjectNotes<string> | undefined {
  return NOTES.get(schema);
}
