import { toFourDecimals } from '../../lib/to-four-decimals';
import { pointerTo } from '../../prompting/json-schema/canonical-json';
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
  const others = candidates.map((text) => firstPlaces(jsonIn(text)?.value));
  const shares = [...firstPlaces(found.value)].map(([pointer, json]): [string, number] => {
    const same = others.filter((places) => places.get(pointer) === json).length;
    return [pointer, toFourDecimals(same / candidates.length)];
  });
  return Object.fromEntries(shares);
}

/** Single values that are told, the first of a value with more; of long names and deep nesting no more than so much. */
const PLACES_MAX = 1_000;
const POINTER_CHARACTERS_MAX = 100_000;
const VISITS_MAX = 3_000;

/** JSON of the first single values of a value, by pointer: texts, numbers, booleans, nulls, empty lists and objects. */
export function firstPlaces(value: unknown): Map<string, string> {
  const places = new Map<string, string>();
  let [characters, visits] = [0, 0];
  const visit = (inner: unknown, pointer: string): boolean => {
    const entries = typeof inner === 'object' && inner !== null ? Object.entries(inner) : [];
    visits += 1;
    characters += entries.length > 0 ? 0 : pointer.length;
    if (places.size >= PLACES_MAX || visits > VISITS_MAX || characters > POINTER_CHARACTERS_MAX) return false;
    if (entries.length === 0) places.set(pointer, JSON.stringify(inner));
    return entries.every(([step, each]) => visit(each, pointerTo(pointer, step)));
  };
  if (value !== undefined) visit(value, '');
  return places;
}
