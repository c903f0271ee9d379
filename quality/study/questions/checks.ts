import { Ajv } from 'ajv';
import { RE2JS } from 're2js';
import { detectAll } from 'tinyld/light';
import * as z from 'zod';

const WORDS_RULE = 'must be an integer from 1 to 10000';
const WORDS = new Intl.Segmenter('en', { granularity: 'word' });

/** Checks of a question, as the API has them in `ai_ensemble.checks`. */
export const checksSchema = z
  .strictObject({
    maxWords: z.int(WORDS_RULE).min(1, WORDS_RULE).max(10_000, WORDS_RULE).optional(),
    regex: z.string('must be a string').min(1, 'must not be empty').max(200, 'at most 200 characters').optional(),
    language: z.string('must be a code of ISO 639-1').length(2, 'must be a code of ISO 639-1').optional(),
    jsonSchema: z.record(z.string(), z.unknown(), 'must be an object').optional(),
  })
  .refine(
    (checks) => Object.keys(checks).length > 0,
    'must have at least one of maxWords, regex, language, jsonSchema',
  );

type Checks = z.infer<typeof checksSchema>;

/** Makes one test of answers of the checks. Throws where a pattern or a schema is none. */
export function passesChecks({ maxWords, regex, language, jsonSchema }: Checks): (answer: string) => boolean {
  const pattern = regex === undefined ? undefined : RE2JS.compile(regex);
  const isValid = jsonSchema === undefined ? undefined : new Ajv({ strict: false }).compile(jsonSchema);
  return (answer) =>
    (maxWords === undefined || [...WORDS.segment(answer)].filter(({ isWordLike }) => isWordLike).length <= maxWords) &&
    (pattern === undefined || pattern.matcher(answer).find()) &&
    (language === undefined || isIn(language, answer)) &&
    (isValid === undefined || isValid(jsonIn(answer)));
}

/** True if a text is in a language, as far as a detector can tell; the code in it is in none. */
export function isIn(language: string, text: string): boolean {
  const prose = text.replaceAll(/```[\s\S]*?(?:```|$)/g, ' ').slice(0, 2_000);
  const [likeliest, ...others] = detectAll(prose);
  const found = [likeliest, ...others].find((one) => one?.lang === language);
  return likeliest === undefined || (found !== undefined && found.accuracy >= 0.8 * likeliest.accuracy);
}

/** The JSON in an answer: in its last block of code, from its first to its last bracket, or all of it. */
function jsonIn(answer: string): unknown {
  const block = [...answer.matchAll(/```\w*\n([\s\S]*?)```/g)].at(-1)?.[1];
  const [start, end] = [answer.search(/[{[]/), Math.max(answer.lastIndexOf('}'), answer.lastIndexOf(']'))];
  for (const candidate of [block, answer, start < 0 ? undefined : answer.slice(start, end + 1)]) {
    try {
      if (candidate !== undefined) return JSON.parse(candidate);
    } catch {
      // The next may be.
    }
  }
  return undefined;
}
