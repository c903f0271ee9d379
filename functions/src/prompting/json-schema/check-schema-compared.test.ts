import Ajv from 'ajv/dist/2020';
import fc from '../../../test/support/properties';
import { checkSchema } from './check-schema';

describe('beside a validator that compiles schemas', () => {
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<unknown>(null, true, 0, 1, 2.5, '', 'a', 'bc'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b'), tie('value'), { maxKeys: 2, noNullPrototype: true }),
    ),
  })).value;
  const bound = fc.nat({ max: 3 });
  const schema = fc.letrec<{ schema: unknown }>((tie) => {
    const list = fc.array(tie('schema'), { minLength: 1, maxLength: 3 });
    return {
      schema: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.record({ type: fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'boolean', 'null') }),
        fc.record({ type: fc.constantFrom(['string', 'null'], ['object', 'array', 'number']) }),
        fc.record({ enum: fc.uniqueArray(fc.constantFrom(null, 0, 1, 'a', 'b', true), { minLength: 1 }) }),
        fc.record({ const: value }),
        fc.record(
          {
            ...Object.fromEntries(
              ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength', 'minItems']
                .concat(['maxItems', 'minProperties', 'maxProperties'])
                .map((keyword) => [keyword, bound]),
            ),
            uniqueItems: fc.boolean(),
          },
          { requiredKeys: [] },
        ),
        fc.record(
          {
            properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema'), { maxKeys: 2, noNullPrototype: true }),
            required: fc.uniqueArray(fc.constantFrom('a', 'b')),
            additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
            propertyNames: fc.constantFrom({ const: 'a' }, { maxLength: 1 }),
            dependentRequired: fc.constantFrom({ a: ['b'] }),
          },
          { requiredKeys: [] },
        ),
        fc.record({ prefixItems: list, items: tie('schema') }, { requiredKeys: [] }),
        fc.record({ contains: tie('schema'), minContains: bound, maxContains: bound }, { requiredKeys: ['contains'] }),
        fc.record({ allOf: list, anyOf: list, oneOf: list, not: tie('schema') }, { requiredKeys: [] }),
        fc.tuple(tie('schema'), tie('schema'), tie('schema')).map((schemas) => conditional(...schemas)),
        fc.boolean(),
      ),
    };
  }).schema;

  it('agrees with it on every schema and value', () => {
    const outcomes = { fits: 0, flawed: 0 };
    fc.assert(
      fc.property(schema, value, (drawn, each) => {
        const expected = compiledVerdict(drawn, each);
        fc.pre(expected !== undefined);
        outcomes[expected ? 'fits' : 'flawed'] += 1;
        expect({ ok: checkSchema(drawn, each).flaws.length === 0 }).toEqual({ ok: expected });
      }),
      { numRuns: 500 },
    );
    expect(Math.min(outcomes.fits, outcomes.flawed)).toBeGreaterThan(50);
  });
});

/** Undefined where its own code does not run, as with a certain `not` beside others. */
function compiledVerdict(schema: unknown, value: unknown): boolean | undefined {
  const ajv = new Ajv({ strict: false, validateSchema: false, logger: false });
  try {
    return ajv.validate(schema as object, value);
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}

function conditional(...schemas: readonly [condition: unknown, yes: unknown, no: unknown]): object {
  return Object.fromEntries(['if', 'then', 'else'].map((keyword, index) => [keyword, schemas[index]]));
}
