import { isJsonObject } from '../../prompting/json-schema/canonical-json';

/** What enforcers of schemas read; with any other keyword a schema is not one of theirs. */
const KNOWN: ReadonlySet<string> = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const', 'anyOf', '$ref'],
  ...['$schema', '$defs', 'definitions', 'title', 'description'],
]);

/**
 * Whether a schema is of the kind that all protocols enforce: an object at its root, each object with all of its
 * properties required and none beside them, no bounds and no patterns. One pass.
 */
export function isClosedSchema(schema: unknown): boolean {
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
