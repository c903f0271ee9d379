import {
  canonicalJson,
  costOf,
  isJsonObject,
  type JsonObject,
  namesIn,
  pointerTo,
  referredTo,
  type Spend,
} from './canonical-json';

/** JSON pointer to a value; undefined where flaws are only counted. */
export type Pointer = string | undefined;
/** Characters of a pointer that are told. */
export const PLACE_CHARACTERS_MAX = 120;

interface Place<Value = unknown> {
  readonly schema: JsonObject;
  readonly value: Value;
  readonly at: Pointer;
}

/** The walk that a keyword is checked in. */
export interface Walk {
  readonly root: unknown;
  /** True if a value fits a schema; no reason is told. */
  fits(schema: unknown, value: unknown): boolean;
  /** Holds a value to a schema, and notes what is wrong with it; false once no more flaws are wanted. */
  hold(schema: unknown, value: unknown, at: Pointer): boolean;
  /** Notes a flaw, put into words only where it is told; false once no more are wanted. */
  note(at: Pointer, rule: () => string): boolean;
  readonly spend: Spend;
  /** Compares a value with those in the argument of a keyword, of which canonical texts are made once. */
  isOneOf(values: readonly unknown[], value: unknown, argument: unknown): boolean;
}

/** Demand of a keyword of a schema; an argument that means nothing demands nothing. Its result is not used. */
type Keyword<Value = unknown> = (argument: unknown, place: Place<Value>, walk: Walk) => unknown;

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

const BOUNDS = {
  ...ofKind(isNumber, {
    minimum: bound('be at least', (value, min) => value >= min),
    maximum: bound('be at most', (value, max) => value <= max),
    exclusiveMinimum: bound('be more than', (value, min) => value > min),
    exclusiveMaximum: bound('be less than', (value, max) => value < max),
    multipleOf: bound('be a multiple of', isMultiple),
  }),
  ...ofKind(isString, sizes('Length', ' characters', charactersIn)),
  ...ofKind(
    isList,
    sizes('Items', ' items', (list) => list.length),
  ),
  ...ofKind(
    isJsonObject,
    sizes('Properties', ' properties', (object, spend) => namesIn(object, spend).length),
  ),
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
export const KEYWORDS: ReadonlyMap<string, Keyword> = new Map(
  Object.entries({ ...ANY, ...BOUNDS, ...ARRAY, ...OBJECT }),
);

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

type Measure<Value> = (value: Value, spend: Spend) => number;

/** A bound of a number, or of a `measure` of something else. */
function bound<Value = number>(
  rule: string,
  holds: (measured: number, limit: number) => boolean,
  [measure, unit]: readonly [Measure<Value>, string] = [Number, ''],
): Keyword<Value> {
  return (limit, { value, at }, walk) => {
    if (typeof limit === 'number' && !holds(measure(value, walk.spend), limit))
      walk.note(at, () => `must ${rule} ${limit}${unit}`);
  };
}

function sizes<Value>(name: string, unit: string, measure: Measure<Value>): Record<string, Keyword<Value>> {
  return {
    [`min${name}`]: bound('have at least', (size, min) => size >= min, [measure, unit]),
    [`max${name}`]: bound('have at most', (size, max) => size <= max, [measure, unit]),
  };
}

/** The pointer one step longer; of a long step no more than is told. */
function within(at: Pointer, step: string | number): Pointer {
  return at === undefined ? at : pointerTo(at, String(step).slice(0, PLACE_CHARACTERS_MAX + 1));
}

function listOf(argument: unknown): readonly unknown[] {
  return Array.isArray(argument) ? argument : [];
}

function holdInOrder(schemas: unknown, { value, at }: Place<readonly unknown[]>, walk: Walk): boolean {
  const used = listOf(schemas).slice(0, value.length);
  return used.every((schema, index) => walk.hold(schema, value[index], within(at, index)));
}

/** Length as JSON Schema counts it: a character outside the basic plane is one. */
function charactersIn(text: string, spend: Spend): number {
  spend(costOf(text));
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** 0.3 is a multiple of 0.1, whatever binary fractions say. */
function isMultiple(value: number, factor: number): boolean {
  const times = value / factor;
  return (
    factor <= 0 || !Number.isFinite(times) || Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times))
  );
}
