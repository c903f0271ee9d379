import { isJsonObject, type JsonObject, referredTo } from '../../prompting/json-schema/canonical-json';
import { listOf } from '../transport/reply-fields';

/** In a schema that holds itself, lists are left empty and properties out from here on, where they may be. */
const DEPTH_OPTIONAL = 3;
/** A schema that demands itself for ever has no instance. */
const DEPTH_MAX = 12;
const ITEMS_MAX = 10;
const CHARACTERS_MAX = 1_000;
/** A schema may demand several of itself at each step. */
const VALUES_MAX = 1_000;
const TEXT = 'demo';

/** Place in the schema. */
interface Place {
  readonly root: unknown;
  readonly depth: number;
  /** Values that may still be made, wherever. */
  readonly left: { values: number };
}

/**
 * A simple value that fits a JSON Schema, as far as types, properties, lists, bounds, fixed values, references and the
 * first alternative go; what else a schema demands is not looked at.
 */
export function instanceOf(schema: unknown): unknown {
  return valueAt(schema, { root: schema, depth: 0, left: { values: VALUES_MAX } });
}

function valueAt(schema: unknown, { root, depth, left }: Place): unknown {
  if (!isJsonObject(schema) || depth > DEPTH_MAX || left.values <= 0) return null;
  left.values -= 1;
  const place = { root, depth: depth + 1, left };
  if (typeof schema['$ref'] === 'string') return valueAt(referredTo(root, schema['$ref']), place);
  if (Object.hasOwn(schema, 'const')) return schema['const'];
  const [fixed] = listOf(schema['enum']);
  if (fixed !== undefined) return fixed;
  const [alternative] = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])];
  const { anyOf: _anyOf, oneOf: _oneOf, allOf, ...own } = schema;
  const parts = [alternative, ...listOf(allOf)].filter(isJsonObject);
  left.values -= parts.length;
  if (parts.length > 0) return valueAt(merged([own, ...parts.map((part) => resolved(part, root))]), place);
  return MAKERS[typeOf(schema)]?.(schema, place) ?? null;
}

const MAKERS: Readonly<Record<string, (schema: JsonObject, place: Place) => unknown>> = {
  object: objectOf,
  array: (schema, place) => {
    const fixed = listOf(schema['prefixItems']).map((item) => valueAt(item, place));
    const wanted = Math.max(numberOf(schema['minItems'], 0), place.depth > DEPTH_OPTIONAL ? 0 : 1);
    const count = Math.min(wanted, numberOf(schema['maxItems'], ITEMS_MAX), ITEMS_MAX);
    const more = Array.from({ length: Math.max(0, count - fixed.length) }, () => valueAt(schema['items'] ?? {}, place));
    return [...fixed, ...more];
  },
  string: (schema) => {
    const least = Math.min(numberOf(schema['minLength'], 0), CHARACTERS_MAX);
    const text = TEXTS[String(schema['format'])] ?? TEXT;
    return text.padEnd(least, '.').slice(0, numberOf(schema['maxLength'], CHARACTERS_MAX));
  },
  number: numberIn,
  integer: (schema) => Math.ceil(numberIn({ multipleOf: 1, ...schema })),
  boolean: () => true,
};

const TEXTS: Readonly<Record<string, string>> = {
  date: '2000-01-01',
  'date-time': '2000-01-01T00:00:00Z',
  time: '00:00:00Z',
  email: 'demo@example.com',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

function objectOf(schema: JsonObject, place: Place): JsonObject {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = listOf(schema['required']).filter((name) => typeof name === 'string');
  const names = place.depth > DEPTH_OPTIONAL ? required : [...new Set([...Object.keys(properties), ...required])];
  const propertyOf = (name: string): unknown => valueAt(Object.hasOwn(properties, name) ? properties[name] : {}, place);
  return Object.fromEntries(names.map((name) => [name, propertyOf(name)]));
}

/** The smallest number allowed from nought on; else the largest. */
function numberIn(schema: JsonObject): number {
  const step = numberOf(schema['multipleOf'], 1) || 1;
  const above = numberOf(schema['exclusiveMinimum'], Number.NEGATIVE_INFINITY);
  const least = Math.max(numberOf(schema['minimum'], 0), 0);
  const steps = Math.ceil(Math.max(least, above) / step);
  const number = (steps * step > above ? steps : steps + 1) * step;
  const most = numberOf(schema['maximum'], Number.POSITIVE_INFINITY);
  const below = numberOf(schema['exclusiveMaximum'], Number.POSITIVE_INFINITY);
  if (number <= most && number < below) return number;
  const last = Math.floor(Math.min(most, below) / step) * step;
  return last < below ? last : last - step;
}

/** Type of a schema; without a `type`, that of its keywords. */
function typeOf(schema: JsonObject): string {
  const [type] = [schema['type']].flat();
  if (typeof type === 'string') return type;
  if (isJsonObject(schema['properties']) || Array.isArray(schema['required'])) return 'object';
  return 'items' in schema || 'prefixItems' in schema ? 'array' : 'string';
}

/** Schemas that hold together: the later goes before the earlier, properties of all. */
function merged(schemas: readonly JsonObject[]): JsonObject {
  const properties = Object.assign({}, ...schemas.map((schema) => schema['properties']));
  const required = schemas.flatMap((schema) => listOf(schema['required']));
  const has = Object.keys(properties).length > 0 || required.length > 0;
  return Object.assign({}, ...schemas, has && { properties, required });
}

function resolved(schema: JsonObject, root: unknown): JsonObject {
  const target = typeof schema['$ref'] === 'string' ? referredTo(root, schema['$ref']) : schema;
  return isJsonObject(target) ? target : {};
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}
