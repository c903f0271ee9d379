import Ajv from 'ajv/dist/2020';
import { instanceOf } from './demo-instance';

const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, required: [] };

/** Schemas as callers send them. */
const SCHEMAS: Readonly<Record<string, object>> = {
  'a flat object': { type: 'object', properties: { name: { type: 'string' }, age: { type: 'integer' } } },
  'a closed object': {
    type: 'object',
    properties: { ok: { type: 'boolean' }, why: { type: ['string', 'null'] } },
    required: ['ok', 'why'],
    additionalProperties: false,
  },
  'a list of objects': {
    type: 'object',
    properties: { steps: { type: 'array', minItems: 2, items: { type: 'object', required: ['text'] } } },
    required: ['steps'],
  },
  'fixed values': { type: 'object', properties: { kind: { const: 'a' }, colour: { enum: ['red', 'blue'] } } },
  'bounds of a number': {
    type: 'object',
    properties: {
      share: { type: 'number', minimum: 0.5, maximum: 0.75, multipleOf: 0.25 },
      more: { type: 'integer', exclusiveMinimum: 3 },
      less: { type: 'integer', maximum: -2 },
      below: { type: 'integer', exclusiveMaximum: 0 },
    },
  },
  'bounds of a text': {
    type: 'object',
    properties: { long: { type: 'string', minLength: 9 }, short: { type: 'string', maxLength: 2 } },
  },
  references: {
    type: 'object',
    properties: { item: { $ref: '#/$defs/item' } },
    required: ['item'],
    $defs: { item: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } },
  },
  'a schema that holds itself': { type: 'object', properties: { first: { $ref: '#/$defs/node' } }, $defs: { node } },
  alternatives: {
    type: 'object',
    properties: { value: { anyOf: [{ type: 'integer', minimum: 2 }, { type: 'null' }] } },
    required: ['value'],
  },
  'parts that hold together': {
    allOf: [
      { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] },
      { properties: { b: { type: 'string' } }, required: ['b'] },
    ],
  },
  'a pair': { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
  'no type': { properties: { a: { items: { type: 'boolean' } } }, required: ['a'] },
  anything: {},
};

describe('instanceOf', () => {
  it.each(Object.entries(SCHEMAS))('fits %s', (_, schema) => {
    const fits = new Ajv({ strict: false }).compile(schema);
    expect([fits(instanceOf(schema)), fits.errors]).toEqual([true, null]);
  });

  it('ends with a schema that demands itself for ever', () => {
    const schema = { type: 'object', properties: { next: { $ref: '#' } }, required: ['next'] };
    expect(JSON.stringify(instanceOf(schema)).length).toBeLessThan(1_000);
    expect(instanceOf({ $ref: '#' })).toBeNull();
  });

  it('ends with a schema that demands ten of itself at each step', () => {
    const names = [...'abcdefghij'];
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: '#' }]));
    const value = instanceOf({ type: 'object', properties, required: names });
    expect(JSON.stringify(value).length).toBeLessThan(100_000);
  });

  it.each<[rule: string, shared: object, made: number]>([
    ['names', { required: Array.from({ length: 8_000 }, (_, index) => `r${index}`) }, 1_000],
    ['parts', { allOf: Array(18_000).fill({}) }, 0],
  ])('makes no more values for a schema that refers a thousand times to one of thousands of %s', (_, shared, made) => {
    const properties = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, n) => [`n${n}`, { $ref: '#/$defs/shared' }]),
    );
    const json = JSON.stringify(instanceOf({ type: 'object', properties, $defs: { shared } }));
    expect(json.split('"demo"').length - 1).toBeLessThanOrEqual(made);
  });

  it('is not taken in by a schema that asks for too much', () => {
    const wide = { type: 'array', minItems: 1e9, items: { type: 'string', minLength: 1e9 } };
    expect(JSON.stringify(instanceOf(wide)).length).toBeLessThan(1_000_000);
  });
});
