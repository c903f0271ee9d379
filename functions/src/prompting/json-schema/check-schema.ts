/*
 * JSON Schema, checked: a value against a schema that a caller has sent. The schema is walked and never compiled, nothing
 * of it is run, and the work has an end: `pattern` and `format` are not looked at, references only within the schema.
 */
import { type Clock, systemClock } from '../../lib/clock';
import { canonicalJson, costOf, isJsonObject, namesIn, pointerTo, referredTo, type Spend } from './canonical-json';
import { EndlessCheck, type Keyword, PLACE_CHARACTERS_MAX, type Place, type Pointer, SchemaWalk } from './schema-walk';

/** Result of checking a value against a schema. */
export interface SchemaVerdict {
  /** First few violations, in words; none where the value fits. */
  readonly flaws: readonly string[];
  /** True if the check was given up: with a schema that branches and loops it may have no end. */
  readonly givenUp: boolean;
}

/** With the work of a last look, and a clock of whole milliseconds, a turn takes at most 50 ms. */
const TURN_MS = 40;

/** Begins a turn, in which nobody else is served; tells later whether it has taken as long as it may. */
export function beginTurn(monotonicMs: Clock['monotonicMs'] = systemClock.monotonicMs): () => boolean {
  const endsAtMs = monotonicMs() + TURN_MS;
  return () => monotonicMs() >= endsAtMs;
}

/** Holds a value of JSON to a JSON Schema (2020-12; `definitions` and lists of `items` too). Never throws. */
export function checkSchema(schema: unknown, value: unknown, isTurnOver = beginTurn()): SchemaVerdict {
  const walk = new SchemaWalk(schema, KEYWORDS, isTurnOver);
  try {
    walk.hold(schema, value, '');
    return { flaws: walk.flaws, givenUp: false };
  } catch (error) {
    if (error instanceof EndlessCheck) return { flaws: [], givenUp: true };
    throw error;
  }
}

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isString = (value: unknown): value is string => typeof value === 'string';
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const TYPES: ReadonlyMap<unknown, (value: unknown) => boolean> = new Map([
  ['object', isJsonObject],
  ['array', isList],
  ['string', isString],
  ['number', isNumber],
  ['integer', Number.isInteger],
  ['boolean', (value: unknown) => typeof value === 'boolean'],
  ['null', (value: unknown) => value === null],
]);

const TOLD_MAX = 10;

const ANY: Readonly<Record<string, Keyword>> = {
  type: (types, { value, at }, walk) => {
    walk.spend(listOf(types).length);
    const known = (Array.isArray(types) ? types : [types]).filter((type) => TYPES.has(type));
    if (known.length > 0 && !known.some((type) => TYPES.get(type)?.(value)))
      walk.note(at, () => `must be ${known.join(' or ')}`);
  },
  enum: (values, { value, at }, walk) => {
    if (!Array.isArray(values) || walk.isOneOf(values, value, values)) return;
    const told = () => values.slice(0, TOLD_MAX).map((each) => JSON.stringify(each));
    walk.note(at, () => `must be one of ${told().join(', ')}${values.length > TOLD_MAX ? ', …' : ''}`);
  },
  const: (constant, { value, at }, walk) => {
    if (!walk.isOneOf([constant], value, constant)) walk.note(at, () => `must be ${JSON.stringify(constant)}`);
  },
  $ref: (reference, { value, at }, walk) => {
    if (typeof reference !== 'string') return;
    walk.spend(costOf(reference));
    walk.hold(referredTo(walk.root, reference), value, at);
  },
  allOf: (schemas, { value, at }, walk) => listOf(schemas).every((schema) => walk.hold(schema, value, at)),
  anyOf: (schemas, { value, at }, walk) => {
    if (Array.isArray(schemas) && !schemas.some((schema) => walk.fits(schema, value)))
      walk.note(at, () => 'fits no alternative');
  },
  oneOf: (schemas, { value, at }, walk) => {
    if (!Array.isArray(schemas)) return;
    const fitting = schemas.filter((schema) => walk.fits(schema, value)).length;
    if (fitting !== 1) walk.note(at, () => `must fit exactly one alternative, and fits ${fitting}`);
  },
  not: (schema, { value, at }, walk) => {
    if (walk.fits(schema, value)) walk.note(at, () => 'fits what is excluded');
  },
  if: (condition, { schema, value, at }, walk) => {
    const branch = walk.fits(condition, value) ? 'then' : 'else';
    if (Object.hasOwn(schema, branch)) walk.hold(schema[branch], value, at);
  },
};

/** A figure that is bounded, of values that have it. */
interface Measure {
  readonly unit: string;
  of(value: unknown, spend: Spend): number | undefined;
}

const SIZE: Measure = { unit: '', of: (value) => (isNumber(value) ? value : undefined) };
const CHARACTERS: Measure = {
  unit: ' characters',
  of: (text, spend) => (isString(text) ? lengthOf(text, spend) : undefined),
};
const ITEMS: Measure = { unit: ' items', of: (list) => (isList(list) ? list.length : undefined) };
const PROPERTIES: Measure = {
  unit: ' properties',
  of: (object, spend) => (isJsonObject(object) ? namesIn(object, spend).length : undefined),
};

const atLeast = (value: number, min: number): boolean => value >= min;
const atMost = (value: number, max: number): boolean => value <= max;

const BOUNDS = {
  minimum: bound('be at least', atLeast, SIZE),
  maximum: bound('be at most', atMost, SIZE),
  exclusiveMinimum: bound('be more than', (value, min) => value > min, SIZE),
  exclusiveMaximum: bound('be less than', (value, max) => value < max, SIZE),
  multipleOf: bound('be a multiple of', isMultiple, SIZE),
  minLength: bound('have at least', atLeast, CHARACTERS),
  maxLength: bound('have at most', atMost, CHARACTERS),
  minItems: bound('have at least', atLeast, ITEMS),
  maxItems: bound('have at most', atMost, ITEMS),
  minProperties: bound('have at least', atLeast, PROPERTIES),
  maxProperties: bound('have at most', atMost, PROPERTIES),
};

const ARRAY = ofKind(isList, {
  prefixItems: holdInOrder,
  items: (items, place, walk) => {
    if (Array.isArray(items)) return holdInOrder(items, place, walk);
    const first = listOf(place.schema['prefixItems']).length;
    return place.value.every((item, index) => index < first || walk.hold(items, item, within(place.at, index)));
  },
  contains: (wanted, { schema, value, at }, walk) => {
    const { minContains: min = 1, maxContains: max = Infinity } = schema;
    const count = value.filter((item) => walk.fits(wanted, item)).length;
    if (typeof min === 'number' && count < min) walk.note(at, () => `must contain at least ${min} of its items`);
    if (typeof max === 'number' && count > max) walk.note(at, () => `must contain at most ${max} of its items`);
  },
  uniqueItems: (unique, { value, at }, walk) => {
    if (unique !== true) return;
    const texts = new Set(value.map((item) => canonicalJson(item, walk.spend)));
    if (texts.size < value.length) walk.note(at, () => 'must not hold an item twice');
  },
});

const OBJECT = ofKind(isJsonObject, {
  required: (names, { value, at }, walk) =>
    listOf(names).every((name) => {
      walk.spend(isString(name) ? costOf(name) : 1);
      return !isString(name) || Object.hasOwn(value, name) || walk.note(within(at, name), () => 'is missing');
    }),
  properties: (schemas, { value, at }, walk) => {
    if (!isJsonObject(schemas)) return;
    const named = namesIn(value, walk.spend).filter((name) => Object.hasOwn(schemas, name));
    named.every((name) => walk.hold(schemas[name], value[name], within(at, name)));
  },
  additionalProperties: (rest, { schema, value, at }, walk) => {
    // Which names a pattern stands for is not looked at.
    if (Object.hasOwn(schema, 'patternProperties')) return;
    const known = isJsonObject(schema['properties']) ? schema['properties'] : {};
    const others = namesIn(value, walk.spend).filter((name) => !Object.hasOwn(known, name));
    if (rest === false) others.every((name) => walk.note(within(at, name), () => 'is not asked for'));
    else others.every((name) => walk.hold(rest, value[name], within(at, name)));
  },
  propertyNames: (names, { value, at }, walk) =>
    namesIn(value, walk.spend).every((name) => walk.hold(names, name, within(at, name))),
  dependentRequired: (names, { value, at }, walk) => {
    if (!isJsonObject(names)) return;
    const triggers = namesIn(value, walk.spend).filter((name) => Object.hasOwn(names, name));
    triggers.every((name) => walk.hold({ required: names[name] }, value, at));
  },
});

/** Checked keywords; all others, `pattern` and `format` among them, are ignored. */
const KEYWORDS: ReadonlyMap<string, Keyword> = new Map(Object.entries({ ...ANY, ...BOUNDS, ...ARRAY, ...OBJECT }));

function ofKind<Value>(
  isOfKind: (value: unknown) => value is Value,
  keywords: Readonly<Record<string, Keyword<Value>>>,
): Record<string, Keyword> {
  const guarded = Object.entries(keywords).map(([name, keyword]): [string, Keyword] => [
    name,
    (argument, { value, ...place }, walk) => {
      if (isOfKind(value)) keyword(argument, { ...place, value }, walk);
    },
  ]);
  return Object.fromEntries(guarded);
}

/** A bound of what is measured of a value; one of another kind has no measure. */
function bound(rule: string, holds: (measured: number, limit: number) => boolean, { unit, of }: Measure): Keyword {
  return (limit, { value, at }, walk) => {
    const measured = isNumber(limit) ? of(value, walk.spend) : undefined;
    if (measured !== undefined && !holds(measured, Number(limit))) walk.note(at, () => `must ${rule} ${limit}${unit}`);
  };
}

/** Length as JSON Schema counts it: a character outside the basic plane is one. */
function lengthOf(text: string, spend: Spend): number {
  spend(costOf(text));
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** The pointer one step longer; of a long step no more than is told. */
function within(at: Pointer, step: string | number): Pointer {
  return at === undefined ? at : pointerTo(at, String(step).slice(0, PLACE_CHARACTERS_MAX + 1));
}

function listOf(argument: unknown): readonly unknown[] {
  return isList(argument) ? argument : [];
}

function holdInOrder(schemas: unknown, { value, at }: Place<readonly unknown[]>, walk: SchemaWalk): boolean {
  const used = listOf(schemas).slice(0, value.length);
  return used.every((schema, index) => walk.hold(schema, value[index], within(at, index)));
}

/** 0.3 is a multiple of 0.1, whatever binary fractions say. */
function isMultiple(value: number, factor: number): boolean {
  const times = value / factor;
  return (
    factor <= 0 || !Number.isFinite(times) || Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times))
  );
}
