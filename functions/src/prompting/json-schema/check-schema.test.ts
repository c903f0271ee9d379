import { fakeClock } from '../../../test/support/fake-clock';
import { beginTurn, checkSchema } from './check-schema';

const fits = { flaws: [], givenUp: false };
const flawed = (...flaws: readonly string[]) => ({ flaws, givenUp: false });

/** Parsed from JSON, since linters mistake `then` for a promise's. */
const CONDITION = JSON.parse('{"if":{"type":"string"},"then":{"minLength":2},"else":{"const":0}}');

const BOOK = {
  type: 'object',
  properties: { title: { type: 'string' }, year: { type: ['integer', 'null'] }, tags: { items: { enum: ['a', 'b'] } } },
  required: ['title', 'year'],
  additionalProperties: false,
};

const ALTERNATIVES = { oneOf: [{ minimum: 1 }, { minimum: 2 }] };

describe('flaws of a value', () => {
  it.each<[schema: unknown, value: unknown, flaws: readonly string[]]>([
    [BOOK, { title: 'Emma', year: 1815 }, []],
    [BOOK, { title: 'Emma' }, ['/year is missing']],
    [BOOK, { title: 7, year: null }, ['/title must be string']],
    [BOOK, { title: 'Emma', year: 18.15 }, ['/year must be integer or null']],
    [BOOK, { title: 'Emma', year: 1, 'a/b~c': 1 }, ['/a~1b~0c is not asked for']],
    [BOOK, { title: 'E', year: 1, tags: ['a', 'c'] }, ['/tags/1 must be one of "a", "b"']],
    [BOOK, [], ['the value must be object']],
    [BOOK, { year: 'x' }, ['/year must be integer or null', '/title is missing']],
    [{ minimum: 3 }, 2, ['the value must be at least 3']],
    [{ maxLength: 2 }, '🍅🍅🍅', ['the value must have at most 2 characters']],
    [{ maxLength: 2 }, '🍅🍅', []],
    [{ multipleOf: 0.1 }, 0.3, []],
    [{ anyOf: [{ type: 'null' }, { const: 1 }] }, 2, ['the value fits no alternative']],
    [ALTERNATIVES, 3, ['the value must fit exactly one alternative, and fits 2']],
    [{ $defs: { 'a/b': { type: 'null' } }, $ref: '#/$defs/a~1b' }, 1, ['the value must be null']],
    [{ definitions: { n: { type: 'null' } }, $ref: '#/definitions/n' }, 1, ['the value must be null']],
    [{ uniqueItems: true }, JSON.parse('[{"a":1,"b":2},{"b":2,"a":1}]'), ['the value must not hold an item twice']],
    [{ properties: { a: false } }, { a: 1 }, ['/a is excluded']],
    [CONDITION, 1, ['the value must be 0']],
  ])('of %j: %j', (schema, value, flaws) => expect(checkSchema(schema, value)).toEqual(flawed(...flaws)));

  it('is told of the first five only, and of a long place its beginning', () => {
    const { flaws } = checkSchema({ items: { type: 'null' } }, Array(50).fill(1));
    expect(flaws).toEqual([0, 1, 2, 3, 4].map((index) => `/${index} must be null`));
    const [flaw = ''] = checkSchema({ additionalProperties: false }, { ['x'.repeat(1_000_000)]: 1 }).flaws;
    expect(flaw.length).toBeLessThan(200);
  });
});

it.each<[schema: unknown, value: unknown]>([
  [{ pattern: '^(a+)+$' }, `${'a'.repeat(50_000)}b`],
  [{ patternProperties: { '(a+)+$': false }, additionalProperties: false }, { aa: 1 }],
  [{ format: 'email' }, 'nobody'],
  ...[
    'http://127.0.0.1:1/schema.json',
    'file:///etc/passwd',
    '#/$defs/none',
    '#/%E0%A4%A',
    '#/__proto__/constructor',
  ].map(($ref): [unknown, unknown] => [{ $ref }, 1]),
  [{ quality: 'high', nullable: true }, 1],
  [{ type: 7, enum: 'x', properties: [], required: {}, items: 3, anyOf: {}, minimum: '1' }, { a: [1] }],
  [null, 1],
])('%j is not checked', (schema, value) => expect(checkSchema(schema, value)).toEqual(fits));

describe('a hostile schema', () => {
  /** Parses JSON, in which `__proto__` is a name like any other. */
  const parsed = (json: string): unknown => JSON.parse(json);

  it('with __proto__, constructor and toString as names reaches no prototype', () => {
    const schema = parsed(
      '{"properties":{"__proto__":{"type":"null"}},"required":["toString","__proto__","constructor"]}',
    );
    expect(checkSchema(schema, {}).flaws).toEqual([
      '/toString is missing',
      '/__proto__ is missing',
      '/constructor is missing',
    ]);
    expect(checkSchema(schema, parsed('{"__proto__":1,"toString":1,"constructor":1}')).flaws).toEqual([
      '/__proto__ must be null',
    ]);
    expect(checkSchema(parsed('{"__proto__":{"type":"null"},"constructor":1}'), 1)).toEqual(fits);
    expect(({} as Record<string, unknown>)['type']).toBeUndefined();
  });

  it('with 10,000 allowed values is looked up, not searched, for each of 1,000 items', () => {
    const schema = { items: { enum: Array.from({ length: 10_000 }, (_, index) => `v${index}`) } };
    expect(checkSchema(schema, Array(1_000).fill('v9999'), () => false)).toEqual(fits);
    const [flaw = ''] = checkSchema(schema, ['none'], () => false).flaws;
    expect(flaw).toMatch(/^\/0 must be one of "v0", .*, …$/);
  });

  const deep = (levels: number, end: unknown): unknown =>
    Array.from({ length: levels }).reduce((inner) => ({ allOf: [inner] }), end);
  const again = (count: number, schema: unknown) => ({ allOf: Array(count).fill(schema) });
  const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, 1]));
  const nested = Array.from({ length: 60 }).reduce((inner) => ({ a: inner }), {});
  const branch = (name: string) => ({ properties: { a: { $ref: '#' } }, required: [name] });
  const LONG = 'x'.repeat(1_000_000);

  it.each<[rule: string, schema: unknown, value: unknown]>([
    ['refers to itself', { $ref: '#' }, 1],
    ['goes round in a circle', { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }, 1],
    ['is deeper than any value', deep(5_000, { type: 'null' }), 1],
    ['branches at every level of a value', { anyOf: [branch('b'), branch('c')] }, nested],
    ['compares a long list with itself', again(3_000, { uniqueItems: true }), [...Array(30_000).keys()]],
    ['counts a long text again and again', again(30_000, { minLength: 1 }), LONG],
    ['looks through many names again and again', again(10_000, { additionalProperties: true }), names(10_000)],
    ['names thousands of types', { items: { type: Array(14_000).fill('null') } }, Array(5_000).fill(null)],
    ['refers by a long pointer again and again', { items: { $ref: `#${'/'.repeat(90_000)}` } }, Array(5_000).fill(0)],
    ['looks up long names', { items: { not: { required: ['x'.repeat(80_000)] } } }, Array(50_000).fill({})],
    ['counts many names again and again', again(6_000, { minProperties: 1 }), names(20_000)],
    ['compares a long text again and again', again(2_000, { not: { const: 0 } }), LONG],
    ['allows more than can be read', { enum: Array(6_000).fill({ a: [1, { b: 2 }] }), ...again(80_000, true) }, 1],
  ])('that %s is given up, however quick the machine', (_, schema, value) => {
    expect(checkSchema(schema, value, () => false)).toEqual({ flaws: [], givenUp: true });
  });

  it.each<[rule: string, schema: unknown]>([
    ['a list', { contains: { const: Array(29_000).fill(1) } }],
    ['a text', { contains: { const: 'x'.repeat(80_000) } }],
    ['an object', { contains: { const: names(8_000) } }],
    ['a long one of many', { contains: { enum: Array(10).fill('x'.repeat(8_000)) } }],
  ])('with a constant that is %s is followed to the end: its text is made once', (_, schema) => {
    expect(checkSchema(schema, Array(3_000).fill(0), () => false)).toEqual(
      flawed('the value must contain at least 1 of its items'),
    );
  });

  it('whose flaws are only counted is put into no words', () => {
    let told = 0;
    const toJSON = () => {
      told += 1;
      return 'told';
    };
    const constant = Object.defineProperty({ a: 1 }, 'toJSON', { value: toJSON });
    const alternatives = { anyOf: [{ const: constant }, { enum: [constant] }, { not: { const: constant } }] };
    expect(checkSchema({ items: alternatives }, Array(100).fill(0))).toEqual(fits);
    expect(told).toBe(0);
    expect(checkSchema({ items: { const: constant } }, [0]).flaws).toEqual(['/0 must be "told"']);
  });

  it('is given up when its turn is over; a small one is never asked how long it took', () => {
    const schema = { items: { type: 'integer' } };
    expect(checkSchema(schema, Array(10_000).fill(0), () => true)).toEqual({ flaws: [], givenUp: true });
    expect(checkSchema(schema, Array(3_000).fill(0), () => true)).toEqual(fits);
  });

  it('has a turn of 40 ms', async () => {
    const clock = fakeClock();
    const isOver = beginTurn(clock.monotonicMs);
    await clock.advance(39);
    expect(isOver()).toBe(false);
    await clock.advance(1);
    expect(isOver()).toBe(true);
  });

  it('that loops with its value, as trees do, is followed to the end', () => {
    const tree = { type: 'object', properties: { children: { items: { $ref: '#' } } }, required: ['name'] };
    const value = { name: 'a', children: [{ name: 'b', children: [{ children: [] }] }] };
    expect(checkSchema(tree, value).flaws).toEqual(['/children/0/children/0/name is missing']);
  });
});
