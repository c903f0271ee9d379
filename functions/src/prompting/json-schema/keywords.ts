import { canonicalJson, costOf, isJsonObject, type JsonObject, namesIn, type Spend } from './canonical-json';
import { referredTo } from './json-pointer';
import { bound, type Keyword, listOf, ofKind, type Place, type Walk, within } from './keyword';

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isString = (value: unknown): value is string => typeof value === 'string';
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const atLeast = (measured: number, min: number): boolean => measured >= min;
const atMost = (measured: number, max: number): boolean => measured <= max;
const itself = (value: number): number => value;
const lengthOf = (list: readonly unknown[]): number => list.length;
const namesCount = (object: JsonObject, spend: Spend): number => namesIn(object, spend).length;

const TYPES: ReadonlyMap<unknown, (value: unknown) => boolean> = new Map([
  ['object', isJsonObject],
  ['array', isList],
  ['string', isString],
  ['number', isNumber],
  ['integer', Number.isInteger],
  ['boolean', (value: unknown) => typeof value === 'boolean'],
  ['null', (value: unknown) => value === null],
]);

/** Allowed values that a message names at most. */
const TOLD_MAX = 10;

/** Rules for values of any kind, and those that combine schemas. */
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

const NUMBER = ofKind(isNumber, {
  minimum: bound(itself, atLeast, ['be at least', '']),
  maximum: bound(itself, atMost, ['be at most', '']),
  exclusiveMinimum: bound(itself, (value, min) => value > min, ['be more than', '']),
  exclusiveMaximum: bound(itself, (value, max) => value < max, ['be less than', '']),
  multipleOf: bound(itself, isMultiple, ['be a multiple of', '']),
});

const STRING = ofKind(isString, {
  minLength: bound(charactersIn, atLeast, ['have at least', ' characters']),
  maxLength: bound(charactersIn, atMost, ['have at most', ' characters']),
});

const ARRAY = ofKind(isList, {
  minItems: bound(lengthOf, atLeast, ['have at least', ' items']),
  maxItems: bound(lengthOf, atMost, ['have at most', ' items']),
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
  required: (names, { value, at }, walk) => {
    listOf(names).every((name) => {
      walk.spend(isString(name) ? costOf(name) : 1);
      return !isString(name) || Object.hasOwn(value, name) || walk.note(within(at, name), () => 'is missing');
    });
  },
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
  minProperties: bound(namesCount, atLeast, ['have at least', ' properties']),
  maxProperties: bound(namesCount, atMost, ['have at most', ' properties']),
});

/** Checked keywords; all others, `pattern` and `format` among them, are ignored. */
export const KEYWORDS: ReadonlyMap<string, Keyword> = new Map(
  Object.entries({ ...ANY, ...NUMBER, ...STRING, ...ARRAY, ...OBJECT }),
);

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
