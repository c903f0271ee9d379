import type { JsonSchema } from '../schema-notes';

/** Fields of an object by name. */
export type Fields = Readonly<Record<string, JsonSchema>>;

/** A text. */
export function text(description: string, more: object = {}): JsonSchema {
  return { type: 'string', description, ...more };
}

/** A text that is always the same. */
export function always(value: string): JsonSchema {
  return { type: 'string', const: value };
}

/** A whole number from 0. */
export function count(description: string): JsonSchema {
  return { type: 'integer', minimum: 0, description };
}

/** A number from 0. */
export function amount(description: string, more: object = {}): JsonSchema {
  return { type: 'number', minimum: 0, description, ...more };
}

/** True or false. */
export function flag(description: string): JsonSchema {
  return { type: 'boolean', description };
}

/** A list. */
export function list(items: JsonSchema, description: string, more: object = {}): JsonSchema {
  return { type: 'array', items, description, ...more };
}

/** An object, of fields that it always has and fields that are left out where they have no value. */
export function shape(always: Fields, sometimes: Fields = {}, description?: string): JsonSchema {
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    properties: { ...always, ...sometimes },
    required: Object.keys(always),
  };
}

/** The same, or null where there is no value. */
export function orNull(schema: JsonSchema): JsonSchema {
  return { ...schema, type: [schema['type'], 'null'] };
}

/** An object whose fields have any names. */
export function mapOf(values: JsonSchema, description: string): JsonSchema {
  return { type: 'object', additionalProperties: values, description };
}

/** A schema of the document, by its name. */
export function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}
