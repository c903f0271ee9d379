import * as z from 'zod';
import { type Refusal, refuse } from '../../errors';
import { PLAIN_TEXT, PLAIN_TEXT_RULE } from '../../lib/foreign-text';

/** JSON Schema, as the document shows it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** JSON Schema of a zod schema's input. */
export type JsonOf = (schema: z.ZodType) => JsonSchema;

/** Says in JSON Schema what a schema takes, where its rules are code that zod cannot tell. */
export function withForm<S extends z.ZodType>(schema: S, form: (jsonOf: JsonOf) => JsonSchema): S {
  return schema.meta({ form });
}

/** An object in which null means absent, as many SDK wrappers send it; unknown fields are ignored. */
export function objectOf<S extends z.ZodRawShape>(
  shape: S,
  rule = 'Invalid request body: must be a JSON object',
): z.ZodPipe<z.ZodTransform, z.ZodObject<S>> {
  const names = Object.keys(shape);
  return z.preprocess(
    (value) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? known(value, names) : value),
    z.object(shape, rule),
  ) as unknown as z.ZodPipe<z.ZodTransform, z.ZodObject<S>>;
}

/** The fields of these names that hold something. */
function known(value: object, names: readonly string[]): object {
  const fields = value as Readonly<Record<string, unknown>>;
  const held = names.filter((name) => Object.hasOwn(value, name) && fields[name] !== null);
  return Object.fromEntries(held.map((name) => [name, fields[name]]));
}

/** Field that may be absent. */
export function optional<S extends z.ZodType>(schema: S, description: string): z.ZodOptional<S> {
  return schema.optional().describe(description);
}

export function bool(): z.ZodBoolean {
  return z.boolean('must be a boolean');
}

export function numberBetween(min: number, max: number, wrongType?: string): z.ZodNumber {
  const rule = `must be between ${min} and ${max}`;
  const number = z.number(wrongType ?? rule);
  return number.min(min, rule).max(max, rule);
}

export function integerBetween(min: number, max: number, rule: string): z.ZodNumber {
  return z.int(rule).min(min, rule).max(max, rule);
}

/** Rules of a text, in words for the client, and its length. */
interface TextRules {
  readonly rule: string;
  readonly blank?: string;
  readonly max: number;
  readonly tooLong?: string;
}

/** A text that is not blank, as ids and names have it. */
export function plainText({ rule, blank = rule, max, tooLong = `at most ${max} characters` }: TextRules) {
  return z.string(rule).regex(/\S/, blank).max(max, tooLong).regex(PLAIN_TEXT, PLAIN_TEXT_RULE);
}

/** A list, read up to its first flaw only: zod by itself collects an issue for each of thousands of bad elements. */
export function listOf<T>(
  element: z.ZodType<T>,
  rule: string,
  { min, max, tooLong = rule }: { readonly min?: 1; readonly max?: number; readonly tooLong?: string } = {},
) {
  const items = withForm(z.unknown(), (jsonOf) => jsonOf(element));
  const any = z.array(items, rule);
  const some = min === undefined ? any : any.min(min, rule);
  const few = max === undefined ? some : some.max(max, tooLong);
  return few.transform((values, context): T[] => {
    const read: T[] = [];
    for (const [index, value] of values.entries()) {
      const { success, data, error } = element.safeParse(value);
      if (!success) return firstFlaw(error, context, index);
      read.push(data);
    }
    return read;
  });
}

/** Adds the first flaw of a value that was read by itself, at its place in the whole. */
export function firstFlaw({ issues }: z.ZodError, context: z.core.$RefinementCtx, ...place: PropertyKey[]): never {
  const { path = [], message = '' } = issues[0] ?? {};
  context.addIssue({ code: 'custom', path: [...place, ...path], message });
  return z.NEVER;
}

/** A JSON Schema as a field, of at most so many characters as JSON. */
export function jsonSchemaField(charactersMax: number) {
  return z
    .custom<{ readonly [keyword: string]: unknown }>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      'must be an object',
    )
    .refine((value) => JSON.stringify(value).length <= charactersMax, {
      message: `at most ${charactersMax.toLocaleString('en')} characters as JSON`,
      abort: true,
    })
    .meta({ type: 'object' });
}

/**
 * The first thing wrong, as a 400 that names the field: a schema's message says what the field must be ("must be between 0
 * and 2"), unless it starts with "Invalid", which is then the whole text.
 */
export function refusalOf({ issues }: z.ZodError, flawText = fieldFlaw): Refusal {
  const { path = [], message = 'must be valid', ...issue } = issues[0] ?? {};
  const { reason } = (issue as Partial<z.core.$ZodIssueCustom>).params ?? {};
  const text = message.startsWith('Invalid') ? message : flawText(fieldName(path), message);
  return { ...refuse('invalid_request', text), ...(typeof reason === 'string' && { reason }) };
}

function fieldFlaw(field: string, rule: string): string {
  return `Invalid ${field}: ${rule}`;
}

/** `['ai_ensemble', 'models', 1]` → `ai_ensemble.models[1]`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('');
}
