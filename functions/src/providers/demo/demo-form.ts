import { parsedJson } from '../../lib/json';
import type { ProviderCall } from '../../models/model';
import { isJsonObject, type JsonObject, referredTo } from '../../prompting/json-schema/canonical-json';
import { listOf } from '../transport/reply-fields';
import { lastTurnOf } from './demo-prompt';

const ANY_OBJECT = JSON.stringify({ answer: 'demo', note: 'Scripted demo answer: no language model was called.' });

/** Behind these words everybody is shown the schema of the answer, on a line of its own. */
const SCHEMA_SHOWN = / that fits this JSON Schema:\n(\{.*)$/m;
const OBJECT_WANTED = "The answer to the user's message has to be one JSON object.";

/** An answer in the form that the request asks for; undefined where any will do. */
export function answerInForm(call: ProviderCall): string | undefined {
  const asked = call.purpose === 'answer' ? call.outputSchema : undefined;
  const schema = asked?.schema ?? parsedJson(SCHEMA_SHOWN.exec(lastTurnOf(call))?.[1] ?? 'null');
  if (isJsonObject(schema)) return JSON.stringify(instanceOf(schema));
  return asked || lastTurnOf(call).includes(OBJECT_WANTED) ? ANY_OBJECT : undefined;
}

/** From here on lists are left empty and properties out, where they may be: a schema may hold itself. */
const DEPTH_OPTIONAL = 3;
/** A schema that demands itself for ever, or several of itself at each step, has no instance. */
const DEPTH_MAX = 12;
const VALUES_MAX = 1_000;
const ITEMS_MAX = 10;
const CHARACTERS_MAX = 1_000;

/** A simple value that fits a JSON Schema by types, properties, bounds, references, the first alternative and all parts. @internal */
export function instanceOf(root: unknown): unknown {
  let values = 0;
  return valueAt(root, 0);

  function valueAt(schema: unknown, depth: number): unknown {
    values += 1;
    if (!isJsonObject(schema) || depth > DEPTH_MAX) return null;
    const { $ref, const: fixed = listOf(schema['enum'])[0] } = schema;
    if (fixed !== undefined) return fixed;
    if (typeof $ref === 'string') return valueAt(referredTo(root, $ref), depth + 1);
    const { anyOf, oneOf, allOf, ...own } = schema;
    const parts = [...listOf(anyOf ?? oneOf).slice(0, 1), ...listOf(allOf)];
    values += parts.length;
    return parts.length > 0 ? valueAt(merged([own, ...parts]), depth + 1) : plainValue(schema, depth + 1);
  }

  /** Schemas that hold together: the later goes before the earlier, properties of all. */
  function merged(schemas: readonly unknown[]): JsonObject {
    const all = schemas.map((part) =>
      isJsonObject(part) && '$ref' in part ? referredTo(root, String(part['$ref'])) : part,
    );
    const parts = all.filter(isJsonObject);
    const properties = Object.assign({}, ...parts.map((part) => part['properties']));
    const required = parts.flatMap((part) => listOf(part['required']));
    return Object.assign({}, ...parts, Object.keys(properties).length > 0 && { properties, required });
  }

  function plainValue(schema: JsonObject, depth: number): unknown {
    const [type = schema['properties'] ? 'object' : 'string'] = [schema['type']].flat();
    if (type === 'object') return objectOf(schema, depth);
    return type === 'array' ? arrayOf(schema, depth) : scalarOf(schema, type);
  }

  function objectOf({ properties, required }: JsonObject, depth: number): JsonObject {
    const schemas: JsonObject = isJsonObject(properties) ? properties : {};
    const optional = depth > DEPTH_OPTIONAL ? [] : Object.keys(schemas);
    const names = [...new Set([...optional, ...listOf(required).map(String)])];
    const wanted = names.slice(0, Math.max(0, VALUES_MAX - values));
    return Object.fromEntries(
      wanted.map((name) => [name, valueAt(Object.hasOwn(schemas, name) ? schemas[name] : {}, depth)]),
    );
  }

  function arrayOf({ minItems, maxItems, items = {} }: JsonObject, depth: number): unknown[] {
    const least = numberOf(minItems, depth > DEPTH_OPTIONAL ? 0 : 1);
    const length = values >= VALUES_MAX ? 0 : Math.min(least, numberOf(maxItems, ITEMS_MAX), ITEMS_MAX);
    return Array.from({ length }, () => valueAt(items, depth));
  }
}

function scalarOf({ minLength, maxLength, minimum, maximum, exclusiveMinimum }: JsonObject, type: unknown): unknown {
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  if (type === 'string') {
    const length = Math.min(numberOf(minLength), CHARACTERS_MAX);
    return 'demo'.padEnd(length, '.').slice(0, numberOf(maxLength, CHARACTERS_MAX));
  }
  const least = Math.ceil(Math.max(0, numberOf(minimum), Math.floor(numberOf(exclusiveMinimum, -1)) + 1));
  return Math.min(least, numberOf(maximum, Number.POSITIVE_INFINITY));
}

function numberOf(value: unknown, otherwise = 0): number {
  return typeof value === 'number' ? value : otherwise;
}
