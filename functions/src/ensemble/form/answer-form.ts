/*
 * The form of the answer: JSON, where the caller has asked for it. What it is (`answer-form`), how models are told of it
 * (`form-words`), how an answer is read and checked (`read-answer`), and how far candidates agree with it (`agreement-by-place`).
 * Imports `prompting/` and the model port; must not know calls.
 */

import type { OutputSchema } from '../../models/model';
import { isJsonObject } from '../../prompting/json-schema/canonical-json';

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
