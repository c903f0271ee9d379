import Ajv from 'ajv/dist/2020';
import { instanceOf } from './demo-form';

const integer = { type: 'integer' };
const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, required: [] };

const SCHEMAS: Readonly<Record<string, object>> = {
  'a closed object': {
    type: 'object',
    properties: { ok: { type: 'boolean' }, why: { type: ['string', 'null'] } },
    required: ['ok', 'why'],
    additionalProperties: false,
  },
  'a list of objects': { type: 'array', minItems: 2, items: { properties: { text: integer }, required: ['text'] } },
  'fixed values': { properties: { kind: { const: 'a' }, colour: { enum: ['red'] } }, required: ['kind', 'colour'] },
  'bounds of a number': {
    properties: { more: { ...integer, exclusiveMinimum: 3 }, less: { ...integer, maximum: -2 } },
    required: ['more', 'less'],
  },
  'bounds of a text': { type: 'array', minItems: 3, items: { type: 'string', minLength: 9, maxLength: 10 } },
  references: { properties: { item: { $ref: '#/$defs/item' } }, required: ['item'], $defs: { item: integer } },
  'a schema that holds itself': {
    properties: { first: { $ref: '#/$defs/node' } },
    required: ['first'],
    $defs: { node },
  },
  alternatives: { anyOf: [{ ...integer, minimum: 2 }, { type: 'null' }] },
  anything: {},
};

const names = [...'abcdefghij'];
const properties = Object.fromEntries(names.map((name) => [name, { $ref: '#' }]));
const referring = Object.fromEntries(names.map((name) => [name, { $ref: '#/$defs/shared' }]));
const shared = { required: Array.from({ length: 8_000 }, (_, index) => `r${index}`) };

describe('instanceOf', () => {
  it.each(Object.entries(SCHEMAS))('fits %s', (_, schema) => {
    const fits = new Ajv({ strict: false }).compile(schema);
    expect([fits(instanceOf(schema)), fits.errors]).toEqual([true, null]);
  });

  it.each<[attack: string, schema: object]>([
    ['demands itself for ever', { $ref: '#' }],
    ['demands ten of itself at each step', { type: 'object', properties, required: names }],
    ['refers again and again to thousands of names', { properties: referring, required: names, $defs: { shared } }],
    ['asks for too much', { type: 'array', minItems: 1e9, items: { type: 'string', minLength: 1e9 } }],
  ])('ends with a schema that %s', (_, schema) => {
    expect(JSON.stringify(instanceOf(schema)).length).toBeLessThan(100_000);
  });
});
