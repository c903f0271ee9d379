import type { CheckRule } from './answer-checks';

/** The longest pattern, in characters. */
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
