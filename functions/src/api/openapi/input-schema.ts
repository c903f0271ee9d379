import * as z from 'zod';
import { formOf, type JsonOf, type JsonSchema, notesOf } from '../schema-notes';

type Writable = Record<string, unknown>;

/** Makes JSON Schemas of what requests are validated by; those with a name of their own are put into `named`. */
export function inputSchemas(named: Record<string, JsonSchema>): JsonOf {
  const jsonOf: JsonOf = (schema) => {
    const json: Writable = z.toJSONSchema(schema, {
      io: 'input',
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => annotate(zodSchema, jsonSchema as Writable),
    });
    const { $schema: _, ...rest } = json;
    return rest;
  };
  return jsonOf;

  function annotate(schema: object, json: Writable): void {
    const form = formOf(schema);
    if (form) replace(json, form(jsonOf));
    const notes = notesOf(schema);
    if (!notes) return;
    for (const [field, description] of Object.entries(notes.fields)) {
      const properties = json['properties'] as Writable;
      properties[field] = { ...(properties[field] as object), description };
    }
    if (notes.name === undefined) return;
    named[notes.name] = { ...json };
    replace(json, { $ref: `#/components/schemas/${notes.name}` });
  }
}

function replace(json: Writable, by: JsonSchema): void {
  for (const key of Object.keys(json)) delete json[key];
  Object.assign(json, by);
}
