import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';

/** The part of a discovery document of Google's that one resource needs. */
interface Discovery {
  readonly root: string;
  readonly schemas: Readonly<Record<string, Node>>;
}

interface Node {
  readonly type?: string;
  readonly format?: string;
  readonly $ref?: string;
  readonly readOnly?: boolean;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: Node;
  readonly items?: Node;
}

/** JSON spells these as texts or numbers. */
const NUMERIC = new Set(['int64', 'uint64', 'fixed64']);

/**
 * What is wrong with a resource by the discovery document of its API, as texts: values of another type, unknown fields,
 * fields that only the API may set, and `…_UNSPECIFIED`, which an API takes for nothing said.
 */
export function schemaFlaws(name: 'log-metric' | 'alert-policy' | 'dashboard'): (resource: unknown) => string[] {
  const path = join(__dirname, 'schemas', `${name}.json`);
  const { root, schemas } = JSON.parse(readFileSync(path, 'utf8')) as Discovery;
  const definitions = Object.fromEntries(Object.entries(schemas).map(([id, node]) => [id, jsonSchema(node)]));
  const validate = new Ajv({ allErrors: true, strict: false }).compile({ ...definitions[root], definitions });
  return (resource) => {
    validate(resource);
    return (validate.errors ?? []).map(({ instancePath, message, params }) =>
      [instancePath, message, JSON.stringify(params)].join(' '),
    );
  };
}

function jsonSchema(node: Node): object {
  const { type, format, $ref, properties, additionalProperties, items } = node;
  if ($ref !== undefined) return { $ref: `#/definitions/${$ref}` };
  if (format === 'google-duration') return { type: 'string', pattern: '^\\d+(\\.\\d+)?s$' };
  if (NUMERIC.has(format ?? '')) return { type: ['integer', 'string'], pattern: '^-?\\d+$' };
  if (node.enum) return { enum: node.enum.filter((value) => !value.endsWith('_UNSPECIFIED')) };
  if (items) return { type: 'array', items: jsonSchema(items) };
  if (additionalProperties) return { type: 'object', additionalProperties: jsonSchema(additionalProperties) };
  if (type === 'any' || type === undefined) return {};
  if (type !== 'object') return { type };
  const settable = Object.entries(properties ?? {}).filter(([, property]) => property.readOnly !== true);
  const fields = Object.fromEntries(settable.map(([key, property]) => [key, jsonSchema(property)]));
  return { type: 'object', properties: fields, additionalProperties: false };
}
