import { toFourDecimals } from '../../lib/to-four-decimals';
import { isJsonObject, pointerTo } from '../../prompting/json-schema/canonical-json';
import { areTooLong, jsonIn } from './answer-form';

/** Share of candidates (0 to 1) that say the same as the answer, by JSON pointer (RFC 6901). */
export type AgreementByPlace = Readonly<Record<string, number>>;

/**
 * Agreement of candidates with an answer, for each single value in it. A candidate in which no JSON is found says
 * something else everywhere. Undefined without an answer in JSON, without candidates, or where they are too long to be compared.
 */
export function agreementByPlace(answer: string, candidates: readonly string[]): AgreementByPlace | undefined {
  const found = areTooLong([answer, ...candidates]) ? undefined : jsonIn(answer);
  if (!found || candidates.length === 0) return undefined;
  const others = candidates.map((text) => jsonIn(text)?.value);
  const shares = firstPlaces(found.value).map(({ pointer, path, json }): [string, number] => {
    const same = others.filter((value) => jsonAt(value, path) === json).length;
    return [pointer, toFourDecimals(same / candidates.length)];
  });
  return Object.fromEntries(shares);
}

/** Single values that are told, the first of a value with more; of long names and deep nesting no more than so much. */
const PLACES_MAX = 1_000;
const POINTER_CHARACTERS_MAX = 100_000;
const VISITS_MAX = 3_000;

/** Single value in a value of JSON: a text, number, boolean, null, or an empty list or object. */
interface JsonPlace {
  /** RFC 6901. */
  readonly pointer: string;
  readonly path: JsonPath;
  readonly json: string;
}

type JsonPath = readonly (string | number)[];

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
function jsonAt(value: unknown, path: JsonPath): string | undefined {
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
