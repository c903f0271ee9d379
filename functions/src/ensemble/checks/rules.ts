import { lazy } from '../../lib/lazy';
import { readAnswer } from '../form/answer-form';
import type { CheckRule } from './answer-checks';

/** The most words that may be allowed: more is no limit for an answer, and counting them would take long. */
export const WORDS_MAX = 10_000;
/** No more is looked at: so many characters hold more words than any limit, or hardly any. */
const COUNTED_CHARACTERS_MAX = 200_000;

/** Words as Unicode finds them, in scripts without spaces, too. To read Unicode's tables takes 10 ms. */
export const unicodeWords = lazy(() => new Intl.Segmenter('en', { granularity: 'word' }));

/** At most so many words. Markup is no word; numbers are. */
export function maxWordsRule(max: number): CheckRule {
  const allowed = `${max} ${max === 1 ? 'word' : 'words'}`;
  return {
    name: 'maxWords',
    requirement: `It has at most ${allowed}.`,
    check: (text) => {
      const count = wordsIn(text.slice(0, COUNTED_CHARACTERS_MAX));
      const isWhole = text.length <= COUNTED_CHARACTERS_MAX;
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
  for (const { isWordLike } of unicodeWords().segment(text)) {
    if (isWordLike) count += 1;
    if (count > WORDS_MAX) break;
  }
  return count;
}

export const PATTERN_CHARACTERS_MAX = 200;
/** Instructions that a pattern may come to; RE2 itself lets each repetition come to a thousand. */
const INSTRUCTIONS_MAX = 1_000;
/** Most repetitions of a pattern, counted before it is compiled, which takes time for each. */
const REPETITIONS_MAX = 1_000;
/** Instructions times characters: an engine in linear time takes up to 0.1 µs for each, so some hundredths of a second. */
const STEPS_MAX = 500_000;

/**
 * A pattern that must match somewhere in the text, in RE2's syntax and in linear time; or what is wrong with it, in words
 * for its author. The engine is loaded by the first request that has one.
 */
export async function regexRule(pattern: string): Promise<CheckRule | string> {
  if (repetitionsIn(pattern) > REPETITIONS_MAX) return TOO_LARGE;
  const { RE2JS } = await import('re2js');
  const compiled = compiledBy(() => RE2JS.compile(pattern));
  if (typeof compiled === 'string') return compiled;
  const size = compiled.programSize();
  if (size > INSTRUCTIONS_MAX) return TOO_LARGE;
  return {
    name: 'regex',
    requirement: `The regular expression ${pattern} (RE2 syntax) matches some part of it.`,
    check: (text) => {
      if (size * text.length > STEPS_MAX) return { passed: null, words: 'it is too long for this regular expression' };
      const passed = compiled.test(text);
      return { passed, words: `the regular expression ${pattern} ${passed ? 'matches' : 'matches no part of it'}` };
    },
  };
}

const TOO_LARGE = 'too large: it has too many alternatives or repetitions';
const COUNT = /\{(\d{1,6})(?:,(\d{0,6}))?\}/g;

function repetitionsIn(pattern: string): number {
  const counts = [...pattern.matchAll(COUNT)].map(([, least, most]) => Math.max(Number(least), Number(most ?? 0)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Compiled pattern, or the engine's complaint. */
function compiledBy<T>(compile: () => T): T | string {
  try {
    return compile();
  } catch (error) {
    const words = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : 'unknown';
    return `not a regular expression of RE2: ${words.slice(0, 200).toWellFormed()}`;
  }
}

/** The JSON in a text, the last of several, must fit this JSON Schema. Words may stand around it. */
export function schemaRule(schema: { readonly [keyword: string]: unknown }): CheckRule {
  return {
    name: 'jsonSchema',
    requirement: `It is, or has in it, one JSON value that fits this JSON Schema: ${JSON.stringify(schema)}`,
    check: (text) => {
      const { value, flaws, givenUp } = readAnswer(text, { name: 'answer', schema });
      if (value === undefined) return { passed: false, words: 'no JSON value is found in it' };
      if (givenUp) return { passed: null, words: 'its JSON Schema takes too long to follow' };
      if (flaws.length === 0) return { passed: true, words: 'its JSON fits the schema' };
      return { passed: false, words: `its JSON does not fit the schema: ${flaws.join('; ')}` };
    },
  };
}
