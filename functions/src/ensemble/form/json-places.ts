import { isJsonObject, pointerTo } from '../../prompting/json-schema/canonical-json';

/** Single values that are told, the first of a value with more; of long names and deep nesting no more than so much. */
const PLACES_MAX = 1_000;
const POINTER_CHARACTERS_MAX = 100_000;
const VISITS_MAX = 3_000;

/** A single value in a value of JSON: a text, number, boolean, null, or an empty list or object. */
export interface JsonPlace {
  /** RFC 6901. */
  readonly pointer: string;
  readonly path: JsonPath;
  readonly json: string;
}

export type JsonPath = readonly (string | number)[];

/** First single values of a value, in the order of the text. */
export function firstPlaces(value: unknown): JsonPlace[] {
  const places: JsonPlace[] = [];
  let [characters, visits] = [0, 0];
  const visit = (inner: unknown, pointer: string, path: JsonPath): boolean => {
    const entries = entriesOf(inner);
    visits += 1;
    characters += entries.length > 0 ? 0 : pointer.length;
    if (places.length >= PLACES_MAX || visits > VISITS_MAX || characters > POINTER_CHARACTERS_MAX) return false;
    if (entries.length === 0) places.push({ pointer, path, json: JSON.stringify(inner) });
    return entries.every(([step, each]) => visit(each, pointerTo(pointer, step), [...path, step]));
  };
  visit(value, '', []);
  return places;
}

/** JSON of the single value at a place; undefined where there is none. */
export function jsonAt(value: unknown, path: JsonPath): string | undefined {
  const found = valueAt(value, path);
  return found === undefined || entriesOf(found).length > 0 ? undefined : JSON.stringify(found);
}

function entriesOf(value: unknown): (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return value.map((item, index) => [index, item]);
  return isJsonObject(value) ? Object.entries(value) : [];
}

function valueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>((held, step) => {
    if (typeof held !== 'object' || held === null || Array.isArray(held) !== (typeof step === 'number'))
      return undefined;
    return Object.hasOwn(held, step) ? (held as Readonly<Record<string, unknown>>)[step] : undefined;
  }, value);
}
