import { readAnswer } from '../../src/ensemble/form/answer-form';
import { isLongMode } from '../support/long-mode';
import fc from '../support/properties';

/** Nobody can stop the event loop with a schema and an answer: however large both are, reading and checking one has an end. */

/** Longest turn, and beside it what compiling, collecting garbage and a clock of the processor that ticks add to it. */
const TURN_MS = 50;
const ALLOWED_MS = 30;
const TRIES = 4;
/** Largest schema that a request may have. */
const SCHEMA_CHARACTERS_MAX = 100_000;

const few = fc.integer({ min: 1, max: 30 });
const many = fc.integer({ min: 1, max: 100 }).map((root) => 3 * root ** 2);
const character = fc.constantFrom('x', '~', '/', '%20', '\\', '\u0001', 'é', '🍅');
const textOf = (length: fc.Arbitrary<number>) => fc.tuple(character, length).map(([each, count]) => each.repeat(count));
const namesOf = (count: fc.Arbitrary<number>) =>
  fc.tuple(fc.constantFrom('n', 'a much longer name '), count).map(([name, n]) => numbered(n, name));
const scalar = fc.constantFrom<unknown>(null, true, 0, 1, 0.5, '', 'x', 'n1');
const item = fc.oneof(
  scalar,
  textOf(few),
  fc.constantFrom<unknown>([], {}, [0], { a: 1 }, { n1: [1, { b: 2 }] }),
  few.map((levels) => nested(levels, 1)),
);
const objectOf = (names: fc.Arbitrary<readonly string[]>) =>
  fc.tuple(names, item).map(([list, each]) => Object.fromEntries(list.map((name) => [name, each])));
const largeOf = (count: fc.Arbitrary<number>): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.tuple(count, item).map(([n, each]) => Array(n).fill(each)),
    count.map((n) => numbered(n, 'v')),
    count.map((n) => Array.from({ length: n }, (_, index) => 65_536 * index)),
    textOf(count),
    objectOf(namesOf(count)),
  );
const large = largeOf(many);

/** Schemas whose own size is what a careless check takes for each value that it holds to them. */
const dear: fc.Arbitrary<object> = fc.oneof(
  fc.record({ const: large }),
  fc.record({
    enum: fc.oneof(
      large,
      large.map((value) => [value]),
    ),
  }),
  fc.record({ type: fc.tuple(many, fc.constantFrom('null', 'nil', 'array')).map(([n, type]) => Array(n).fill(type)) }),
  fc.record({
    required: fc.oneof(
      namesOf(many),
      textOf(many).map((name) => [name]),
    ),
  }),
  fc.record({
    dependentRequired: objectOf(namesOf(few)).chain((names) => namesOf(many).map((list) => spread(names, list))),
  }),
  fc.record({ properties: objectOf(namesOf(many)), additionalProperties: fc.boolean() }),
  fc.record({ propertyNames: fc.record({ enum: namesOf(many) }) }),
  fc.record({ prefixItems: many.map((n) => Array(n).fill(true)), items: fc.constantFrom({}, { minLength: 1 }) }),
  fc.record({ $ref: textOf(many).map((steps) => `#/${steps}`) }),
  fc.record({ $ref: many.map((n) => `#${'/'.repeat(n)}`) }),
  fc.record({ uniqueItems: fc.constant(true), minProperties: many, minLength: many, multipleOf: fc.constant(0.5) }),
  fc.record({ $ref: fc.constantFrom('#', '#/$defs/dear') }),
);
const wrap = fc.constantFrom<(inner: object) => object>(
  (inner) => inner,
  (inner) => ({ not: inner }),
  (inner) => ({ anyOf: [inner, inner, {}] }),
  (inner) => ({ oneOf: [inner, inner] }),
  (inner) => ({ if: inner, else: inner }),
  (inner) => ({ contains: inner, minContains: 0 }),
  (inner) => ({ items: inner }),
  (inner) => ({ additionalProperties: inner }),
  (inner) => ({ propertyNames: inner }),
  (inner) => ({ properties: { n1: inner, a: inner } }),
);
/** A dear schema, referred to from within others, perhaps again and again. */
const schema = fc
  .tuple(dear, fc.array(wrap, { maxLength: 4 }), fc.constantFrom(1, 1, 10, 1_000, 4_000))
  .map(([inner, wraps, times]) => {
    const outer = wraps.reduce<object>((held, each) => each(held), { $ref: '#/$defs/dear' });
    return { $defs: { dear: inner, outer }, allOf: Array(times).fill({ $ref: '#/$defs/outer' }) };
  });
/** Up to the largest that is read. */
const answer = fc.oneof(
  large,
  largeOf(fc.constantFrom(30_000, 49_000, 99_000)),
  largeOf(fc.constantFrom(200)).chain((inner) => few.map((n) => Array(10 * n).fill(inner))),
  textOf(fc.constantFrom(160_000, 300_000, 990_000)),
  textOf(fc.constantFrom(160_000, 480_000)).map((name) => ({ [name]: Array(1_000).fill(0) })),
);

it(
  'no answer that is held to a schema takes longer than its turn',
  () => {
    const outcomes = { checked: 0, givenUp: 0 };
    fc.assert(
      fc.property(schema, answer, (drawn, value) => {
        fc.pre(JSON.stringify(drawn).length <= SCHEMA_CHARACTERS_MAX);
        const text = JSON.stringify(value);
        const form = { name: 'any', schema: JSON.parse(JSON.stringify(drawn)) };
        outcomes[readAnswer(text, form).givenUp ? 'givenUp' : 'checked'] += 1;
        expect(quickestMs(() => readAnswer(text, form))).toBeLessThan(TURN_MS + ALLOWED_MS);
      }),
      { numRuns: isLongMode ? 5_000 : 300 },
    );
    expect(Math.min(outcomes.checked, outcomes.givenUp)).toBeGreaterThan(30);
  },
  isLongMode ? 1_800_000 : 180_000,
);

/** Processor time of this thread, of which others take nothing; further tries only where it is too long. */
function quickestMs(work: () => unknown): number {
  let quickest = Infinity;
  for (let tries = 0; tries < TRIES && quickest >= TURN_MS + ALLOWED_MS; tries += 1) {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    quickest = Math.min(quickest, (user + system) / 1_000);
  }
  return quickest;
}

function numbered(count: number, name: string): string[] {
  return Array.from({ length: count }, (_, index) => `${name}${index}`);
}

function nested(levels: number, end: unknown): unknown {
  return Array.from({ length: levels }).reduce((inner, _, index) => (index % 2 === 0 ? [inner] : { a: inner }), end);
}

function spread(names: object, list: readonly string[]): object {
  return Object.fromEntries(Object.keys(names).map((name, index) => [name, index === 0 ? list : []]));
}
