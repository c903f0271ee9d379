/*
 * The form of the answer: JSON, where the caller has asked for it. How models are asked for it: `form-words`; how far
 * candidates agree with it: `agreement-by-place`.
 */
import { type JsonLimits, jsonExcess } from '../../lib/json';
import type { OutputSchema } from '../../models/model';
import { lastJson } from '../../prompting/json-in-reply';
import { isJsonObject } from '../../prompting/json-schema/canonical-json';
import { beginTurn, checkSchema, type SchemaVerdict } from '../../prompting/json-schema/check-schema';

/** The JSON that the final answer is to be. */
export interface AnswerForm {
  /** The caller's name for it: letters, digits, `_` and `-`, at most 64. */
  readonly name: string;
  /** Absent where any JSON object will do. */
  readonly schema?: { readonly [keyword: string]: unknown };
  /** Purpose, in the caller's words. */
  readonly description?: string;
  /** True where a provider is to enforce it word by word; absent where the caller has not said. */
  readonly strict?: boolean;
  /** Set where the JSON is the arguments of a call of the tool of that name. */
  readonly isCall?: true;
}

/** The form as providers are told it. A schema that is open somewhere is more than all of them can enforce. */
export function outputSchemaOf({ name, schema, strict = true }: AnswerForm): OutputSchema {
  return schema ? { name, schema, strict: strict && isClosedSchema(schema) } : { name };
}

/** Keywords that enforcers of schemas read; with any other a schema is not one of theirs. */
const KNOWN: ReadonlySet<string> = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const', 'anyOf', '$ref'],
  ...['$schema', '$defs', 'definitions', 'title', 'description'],
]);

/** True of schemas that all protocols enforce: objects with all of their properties required, none beside them. One pass. */
function isClosedSchema(schema: unknown): boolean {
  return isJsonObject(schema) && schema['type'] === 'object' && isClosed(schema);
}

function isClosed(schema: unknown): boolean {
  if (!isJsonObject(schema) || !Object.keys(schema).every((keyword) => KNOWN.has(keyword))) return false;
  const { type, properties = {}, required = [], additionalProperties, items, anyOf = [] } = schema;
  const { $defs = {}, definitions = {} } = schema;
  if (![properties, $defs, definitions].every(isJsonObject) || ![required, anyOf].every(Array.isArray)) return false;
  const isObject = type === 'object' || Object.hasOwn(schema, 'properties');
  if (isObject && (additionalProperties !== false || !allIn(Object.keys(properties as object), required))) return false;
  const inner = [properties, $defs, definitions, anyOf].flatMap((schemas) => Object.values(schemas as object));
  return [...inner, ...(items === undefined ? [] : [items])].every(isClosed);
}

function allIn(names: readonly string[], list: unknown): boolean {
  const listed = new Set(list as readonly unknown[]);
  return names.every((name) => listed.has(name));
}

/** More than any answer of sense holds: beyond it a text is not even parsed, which would hold everybody up. */
const LIMITS: JsonLimits = { depthMax: 64, valuesMax: 100_000 };
const CHARACTERS_MAX = 1_000_000;
const COMPARED_CHARACTERS_MAX = 500_000;

interface AnswerReading extends SchemaVerdict {
  /** The JSON alone, as it was written; the whole text where there is none. */
  readonly text: string;
  /** Value of the JSON; undefined where there is none. */
  readonly value?: unknown;
}

/** The JSON value in a text, the last of several; undefined where there is none, or too much of it. */
export function jsonIn(text: string): { readonly text: string; readonly value: unknown } | undefined {
  if (text.length > CHARACTERS_MAX || jsonExcess(Buffer.from(text), LIMITS) !== undefined) return undefined;
  return lastJson(text, (value, json) => ({ value, text: json.trim() }));
}

/** Tells whether texts are too long, all together, to be compared without holding everybody up. */
export function areTooLong(texts: readonly string[]): boolean {
  return texts.reduce((sum, { length }) => sum + length, 0) > COMPARED_CHARACTERS_MAX;
}

/** Reads an answer that is to be in a form, and says what is wrong with it. */
export function readAnswer(text: string, form: AnswerForm): AnswerReading {
  const { schema } = form;
  const isTurnOver = beginTurn();
  const found = jsonIn(text);
  if (!found) return { text, flaws: ['it is not one JSON value'], givenUp: false };
  const bare = isWholeCall(found.value, form) ? jsonIn(found.text.slice(1)) : undefined;
  const fit = bare && checkSchema(schema, bare.value, isTurnOver);
  if (fit && fit.flaws.length === 0 && !fit.givenUp) return { ...bare, ...fit };
  if (schema) return { ...found, ...checkSchema(schema, found.value, isTurnOver) };
  return { ...found, flaws: isJsonObject(found.value) ? [] : ['the value must be object'], givenUp: false };
}

/** Names under which models that are trained on calls write the arguments beside the name of the tool. */
const ARGUMENTS = ['arguments', 'parameters'];

/** True of a call with its arguments in it, where the tool itself has no such argument. */
function isWholeCall(value: unknown, { name, schema, isCall }: AnswerForm): boolean {
  if (!isCall || !isJsonObject(value) || value['name'] !== name) return false;
  const [key = '', ...more] = Object.keys(value).filter((each) => each !== 'name');
  const { properties = {} } = schema ?? {};
  const isMeant = isJsonObject(properties) && Object.hasOwn(properties, key);
  return more.length === 0 && ARGUMENTS.includes(key) && !isMeant && isJsonObject(value[key]);
}
