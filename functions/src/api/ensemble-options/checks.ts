import * as z from 'zod';
import { type AnswerChecks, CHECK_NAMES, type CheckRule } from '../../ensemble/checks/answer-checks';
import { LANGUAGES, type LanguageCode, languageRule } from '../../ensemble/checks/language-rule';
import { maxWordsRule, WORDS_MAX } from '../../ensemble/checks/max-words';
import { PATTERN_CHARACTERS_MAX, regexRule } from '../../ensemble/checks/regex-rule';
import { schemaRule } from '../../ensemble/checks/schema-rule';
import type { EnsembleRequest } from '../../ensemble/run';
import { type Refusal, refuse } from '../../errors';
import { PLAIN_TEXT, PLAIN_TEXT_RULE } from '../../lib/foreign-text';
import { jsonSchemaField, objectOf } from '../shared/schemas';

/** Shown to every model that answers. */
const SCHEMA_CHARACTERS_MAX = 20_000;
const CODES = Object.keys(LANGUAGES) as [LanguageCode, ...LanguageCode[]];
const WORDS_RULE = `must be an integer from 1 to ${WORDS_MAX}`;
const SOME_RULE = `must have at least one of ${CHECK_NAMES.join(', ')}`;

const checkFields = {
  maxWords: z
    .int(WORDS_RULE)
    .min(1, WORDS_RULE)
    .max(WORDS_MAX, WORDS_RULE)
    .optional()
    .describe('The answer has at most so many words.'),
  regex: z
    .string('must be a string')
    .min(1, 'must not be empty')
    .max(PATTERN_CHARACTERS_MAX, `at most ${PATTERN_CHARACTERS_MAX} characters`)
    .regex(PLAIN_TEXT, PLAIN_TEXT_RULE)
    .optional()
    .describe('This regular expression, in the syntax of RE2, matches some part of the answer.'),
  language: z
    .enum(CODES, `must be one of ${CODES.join(', ')}`)
    .optional()
    .describe('The answer is in this language, by ISO 639-1.'),
  jsonSchema: jsonSchemaField(SCHEMA_CHARACTERS_MAX)
    .optional()
    .describe('The JSON in the answer fits this JSON Schema, at most 20,000 characters as JSON.'),
};

/** The field `checks` of `ai_ensemble` (`docs/api.md`, Checks). */
export const checksSchema = objectOf(checkFields, 'must be an object').meta({ id: 'AnswerChecks' });

type CheckOptions = z.infer<z.ZodObject<typeof checkFields>>;

/**
 * The same request with what its answer must satisfy, where it names that; what such a check needs is loaded only then.
 * Refuses a pattern that is none.
 */
export async function withChecks(
  request: EnsembleRequest,
  { checks, stream }: { readonly checks?: CheckOptions | undefined; readonly stream: boolean },
): Promise<EnsembleRequest | Refusal> {
  if (!checks) return request;
  const rules = await checkRules(checks);
  if (typeof rules === 'string') return refuse('invalid_request', `Invalid ai_ensemble.checks${rules}`);
  // An answer that is streamed is held back only where its form is to be checked.
  const repairs = !stream || request.answerForm !== undefined;
  const answerChecks: AnswerChecks = { rules, repairs };
  return { ...request, checks: answerChecks };
}

/** The rules that the options name; else what is wrong, behind the name of the field. */
async function checkRules(options: CheckOptions): Promise<readonly CheckRule[] | string> {
  const { maxWords, regex, language, jsonSchema } = options;
  const pattern = regex === undefined ? undefined : await regexRule(regex);
  if (typeof pattern === 'string') return `.regex: ${pattern}`;
  const rules: CheckRule[] = [
    ...(maxWords === undefined ? [] : [maxWordsRule(maxWords)]),
    ...(pattern ? [pattern] : []),
    ...(language === undefined ? [] : [await languageRule(language)]),
    ...(jsonSchema ? [schemaRule(jsonSchema)] : []),
  ];
  return rules.length === 0 ? `: ${SOME_RULE}` : rules;
}
