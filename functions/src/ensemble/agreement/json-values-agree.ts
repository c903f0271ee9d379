import { toFourDecimals } from '../../lib/to-four-decimals';
import { firstPlaces } from '../form/json-places';
import { jsonIn } from '../form/read-answer';
import { type Agreement, pairShare } from './agreement';

/**
 * Agreement of texts that are to be JSON: at each place that one of them has a single value at, the share of pairs with
 * the same value there; on average over the places. A text without JSON agrees with none. Undefined where fewer than two
 * have JSON.
 */
export function jsonValuesAgree(texts: readonly string[]): Agreement | undefined {
  const found = texts.flatMap((text) => jsonIn(text) ?? []).map(({ value }) => firstPlaces(value));
  const told = found.filter((places) => places.length > 0);
  if (told.length < 2) return undefined;
  const byPointer = Map.groupBy(told.flat(), ({ pointer }) => pointer);
  const shares = [...byPointer.values()].map((places) => {
    const sizes = [...Map.groupBy(places, ({ json }) => json).values()].map(({ length }) => length);
    return pairShare(sizes, texts.length);
  });
  const same = shares.filter((share) => share === 1).length;
  return {
    share: toFourDecimals(shares.reduce((sum, share) => sum + share, 0) / shares.length),
    measuredOn: 'json_values',
    words: `${texts.length === 2 ? 'Both' : `All ${texts.length}`} candidates have the same value at ${same} of ${shares.length} ${shares.length === 1 ? 'place' : 'places'} of the JSON.`,
  };
}
