import { lazy } from '../../lib/lazy';
import type { CheckRule } from './answer-checks';

/** The most words that may be allowed: more is no limit for an answer, and counting them would take long. */
export const WORDS_MAX = 10_000;
/** No more is looked at: so many characters hold more words than any limit, or hardly any. */
const CHARACTERS_MAX = 200_000;

/** Words as Unicode finds them, in scripts without spaces, too. To read Unicode's tables takes 10 ms. */
const segmenter = lazy(() => new Intl.Segmenter('en', { granularity: 'word' }));

/** At most so many words. Markup is no word; numbers are. */
export function maxWordsRule(max: number): CheckRule {
  const allowed = `${max} ${max === 1 ? 'word' : 'words'}`;
  return {
    name: 'maxWords',
    requirement: `It has at most ${allowed}.`,
    check: (text) => {
      const count = wordsIn(text.slice(0, CHARACTERS_MAX));
      const isWhole = text.length <= CHARACTERS_MAX;
      if (!isWhole && count <= max) return { passed: null, words: 'it is too long for its words to be counted' };
      const counted = `${isWhole && count <= WORDS_MAX ? '' : 'more than '}${Math.min(count, WORDS_MAX)}`;
      const words = `it has ${counted} ${counted === '1' ? 'word' : 'words'}`;
      return { passed: count <= max, words: count <= max ? words : `${words}, and at most ${max} are allowed` };
    },
  };
}

/** One more than `WORDS_MAX` where there are more. */
function wordsIn(text: string): number {
  let count = 0;
  for (const { isWordLike } of segmenter().segment(text)) {
    if (isWordLike) count += 1;
    if (count > WORDS_MAX) break;
  }
  return count;
}
