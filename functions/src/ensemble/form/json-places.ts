import { isJsonObject } from '../../prompting/json-schema/canonical-json';
import { pointerTo } from '../../prompting/json-schema/json-pointer';

/** Of a value with more single values than this, the first are told; and of long names no more than so much. */
const PLACES_MAX = 1_000;
const POINTER_CHARACTERS_MAX = 100_000;

/** A single value in a value of JSON: a text, number, boolean, null, or an empty list or object. */
export interface JsonPlace {
  /** RFC 6901. */
  readonly pointer: string;
  readonly path: JsonPath;
  readonly json: string;
}

export type JsonPath = readonly (string | number)[];

/** As many of the single values as are told, in the order of the text. */
export function firstPlaces(value: unknown): JsonPlace[] {
  const places: JsonPlace[] = [];
  let characters = 0;
  for (const place of placesOf(value, '', [])) {
    characters += place.pointer.length;
    if (places.length >= PLACES_MAX || characters > POINTER_CHARACTERS_MAX) break;
    places.push(place);
  }
  return places;
}

/** What stands at a place, as JSON; undefined where nothing does, or something that holds others. */
export function jsonAt(value: unknown, path: JsonPath): string | undefined {
  return singleJson(valueAt(value, path));
}

function* placesOf(value: unknown, pointer: string, path: JsonPath): Generator<JsonPlace> {
  const json = singleJson(value);
  if (json !== undefined) yield { pointer, path, json };
  for (const [step, inner] of entriesOf(value)) yield* placesOf(inner, pointerTo(pointer, step), [...path, step]);
}

/** A single value as JSON; undefined for what holds others, and for nothing. */
function singleJson(value: unknown): string | undefined {
  return value === undefined || entriesOf(value).length > 0 ? undefined : JSON.stringify(value);
}

function entriesOf(value: unknown): (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return [...value.entries()];
  return isJsonObject(value) ? Object.entries(value) : [];
}

function valueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>((held, step) => {
    if (typeof held !== 'object' || held === null || Array.isArray(held) !== (typeof step === 'number'))
      return undefined;
    return Object.hasOwn(held, step) ? (held as Readonly<Record<string, unknown>>)[step] : undefined;
  }, value);
}
