import { toFourDecimals } from '../../lib/to-four-decimals';
import { firstPlaces, jsonAt } from './json-places';
import { areTooLong, jsonIn } from './read-answer';

/** Share of candidates (0 to 1) that say the same as the answer, by JSON pointer. */
export type AgreementByPlace = Readonly<Record<string, number>>;

/**
 * Agreement of candidates with an answer, for each single value in it: a text, number, boolean, null, or an empty list
 * or object. A candidate in which no JSON is found says something else everywhere. Undefined without an answer in JSON,
 * without candidates, or where they are too long to be compared.
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
