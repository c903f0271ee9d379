import * as z from 'zod';
import { CHECK_NAMES } from '../../ensemble/checks/answer-checks';
import { LANGUAGES, type LanguageCode } from '../../ensemble/checks/language-rule';
import { PATTERN_CHARACTERS_MAX, WORDS_MAX } from '../../ensemble/checks/rules';
import { HARD_STOP_MS } from '../../ensemble/deadline/deadline';
import { PARTICIPANTS_MAX } from '../../ensemble/panel/panel';
import { DEFAULT_STRATEGY, STRATEGY_NAMES, strategyName, strategyNamed } from '../../ensemble/strategies/strategies';
import { PLAIN_TEXT, PLAIN_TEXT_RULE } from '../../lib/foreign-text';
import { REASONING_EFFORTS } from '../../models/model';
import {
  bool,
  integerBetween,
  jsonSchemaField,
  listOf,
  numberBetween,
  objectOf,
  optional,
  plainText,
  withForm,
} from '../shared/schemas';

const ROUNDS_MAX = 10;
const SYSTEM_PROMPT_CHARACTERS_MAX = 100_000;
const SECONDS_MAX = HARD_STOP_MS / 1_000;
/** The participants are counted where they are known. */
export const QUORUM_RULE = 'must be an integer from 1 to the number of participants';
const MODEL_RULE = 'must be a model id or an object with id or name';
const CODES = Object.keys(LANGUAGES) as [LanguageCode, ...LanguageCode[]];

/** Instructions, cut to the limit without leaving half a surrogate pair, which no provider would accept. */
const systemPrompt = z.string('must be a string').transform((text) => {
  const cut = text.slice(0, SYSTEM_PROMPT_CHARACTERS_MAX);
  return cut.isWellFormed() || !text.isWellFormed() ? cut : cut.slice(0, -1);
});
const effort = z.enum(REASONING_EFFORTS, `must be one of ${REASONING_EFFORTS.join(', ')}`);
const label = plainText({ rule: 'must be a string', blank: 'must not be blank', max: 60 });

/** Settings of one participant. */
const seatFields = {
  temperature: optional(numberBetween(0, 2), 'For the texts it writes: drafts and revisions.'),
  reasoningEffort: optional(effort, 'How much it is to think, for models that know an effort.'),
  systemPrompt: optional(systemPrompt, 'Its system prompt in all of its calls; cut to 100,000 characters.'),
  label: optional(label, 'What people see instead of its name; never shown to a model.'),
};
const id = plainText({ rule: MODEL_RULE, max: 200 }).describe('A model id.');
const name = id.describe('The display name of a model, in any case; not read beside an `id`.');
const entryForms = z.union([id, z.object({ id, ...seatFields }), z.object({ name, ...seatFields })]);
const eitherName = { id: id.optional().catch(undefined), name: name.optional().catch(undefined) };

/** An entry of `ai_ensemble.models`: which model, and what is special about this seat of it. Other fields are ignored. */
const modelEntry = withForm(
  z
    .preprocess(
      (value) => (typeof value === 'string' ? { id: value } : value),
      objectOf({ ...eitherName, ...seatFields }, MODEL_RULE),
    )
    .refine((entry) => (entry.id ?? entry.name) !== undefined, MODEL_RULE),
  (jsonOf) => jsonOf(entryForms),
);

const pattern = z
  .string('must be a string')
  .min(1, 'must not be empty')
  .max(PATTERN_CHARACTERS_MAX, `at most ${PATTERN_CHARACTERS_MAX} characters`)
  .regex(PLAIN_TEXT, PLAIN_TEXT_RULE);
const words = integerBetween(1, WORDS_MAX, `must be an integer from 1 to ${WORDS_MAX}`);
const language = z.enum(CODES, `must be one of ${CODES.join(', ')}`);

/** The field `checks` (`docs/api.md`, Checks). */
const checks = objectOf(
  {
    maxWords: optional(words, 'The answer has at most so many words.'),
    regex: optional(pattern, 'This regular expression, in the syntax of RE2, matches some part of the answer.'),
    language: optional(language, 'The answer is in this language, by ISO 639-1.'),
    jsonSchema: optional(
      jsonSchemaField(20_000),
      'The JSON in the answer fits this JSON Schema, at most 20,000 characters as JSON.',
    ),
  },
  'must be an object',
)
  .meta({ id: 'AnswerChecks' })
  .refine((named) => Object.keys(named).length > 0, `must have at least one of ${CHECK_NAMES.join(', ')}`);

const strategy = z.unknown().transform(strategyNamed).optional().meta({ type: 'string', enum: STRATEGY_NAMES });
const mode = z.unknown().transform((value) => value === 'auto');
const anyNumber = z.unknown().optional().meta({ type: 'number', default: 1 });
const modelsMax = { max: PARTICIPANTS_MAX, tooLong: `at most ${PARTICIPANTS_MAX} models` };
const models = listOf(modelEntry, 'must be an array', modelsMax);
const cost = z.number('must be a number above 0').positive('must be a number above 0');
const whether = (description: string) => bool().default(false).describe(description);

/** The field `agent` (`docs/api.md`, Tools). */
const agent = objectOf(
  {
    advise: optional(
      z.enum(['turn', 'never'], 'must be turn or never'),
      '`turn`, the default: participants advise the arbiter on each new message of the user. `never`: it acts alone.',
    ),
    review: optional(
      integerBetween(0, 3, 'must be an integer from 0 to 3'),
      'How often in a turn of the user participants may have a reply without calls redone before it is sent; default: 0.',
    ),
  },
  'must be an object',
).meta({ id: 'AgentOptions' });

const optionFields = {
  strategy: strategy.describe(
    `How the participants work; anything but these names means \`${strategyName(DEFAULT_STRATEGY)}\`.`,
  ),
  mode: optional(
    mode,
    '`auto`: two drafts may end the run. Any other value: the panel always plays. Without it virtual ids that end in `-auto` play on demand.',
  ).meta({ type: 'string', examples: ['auto'] }),
  rounds: anyNumber.describe('At most so many rounds; floored and clamped to 1 to 10, and 1 where it is no number.'),
  iterations: anyNumber.describe('Another name of `rounds`, which goes before it.'),
  models: models
    .default([])
    .describe('The participants; without any the `model` of the request alone, or the default panel of a virtual id.'),
  includeFollowUpPrompts: whether('Three suggestions for the next message, at the price of one more call.'),
  includeCandidates: whether('The last text of each participant.'),
  includeReasoning: optional(
    bool(),
    'An explanation by the arbiter, at the price of one more call. Default: whether `reasoning.effort` is set and not `none`.',
  ),
  includeTrace: whether('All that happens in the run, event by event: `trace`.'),
  quorum: optional(
    z.int(QUORUM_RULE).positive(QUORUM_RULE),
    'Once so many participants of a wave have answered, the others may be given up; at most as many as there are.',
  ),
  graceSeconds: optional(
    numberBetween(0, SECONDS_MAX),
    'How long the others then have, in seconds. Default: 15 and more, by how fast the models are.',
  ),
  maxCostUsd: optional(cost, 'What the run may cost, in US dollars.'),
  maxSeconds: optional(numberBetween(1, SECONDS_MAX), 'How long the run may take, in seconds.'),
  checks: optional(checks, 'What the answer must satisfy: checked by code on the texts and on the answer.'),
  agent: optional(agent, 'How an ensemble acts that is offered tools; without any it has no effect.'),
  webSearch: whether(
    'Models that can search the web by their provider do so for their first text; the others run without, and it is said.',
  ),
  dryRun: whether('Nothing is called; the reply has a `plan`.'),
  systemPrompt: optional(
    systemPrompt,
    'Instructions for the arbiter, in the place of the first system message; cut to 100,000 characters.',
  ),
  shareSystemPrompt: optional(
    bool(),
    'Whether participants follow the system messages, too. Default: true for virtual ids.',
  ),
};

/** Names of all options. */
export const OPTION_NAMES: readonly string[] = Object.keys(optionFields);

/** The `ai_ensemble` object (`docs/api.md`, Ensemble options) with its limits and defaults. */
export const ensembleOptionsSchema = objectOf(optionFields, 'must be an object')
  .meta({ id: 'EnsembleOptions' })
  .transform(({ iterations, rounds, ...options }) => ({ ...options, rounds: clampRounds(iterations ?? rounds) }));

export type EnsembleOptions = z.output<typeof ensembleOptionsSchema>;

/** Floored and clamped to 1–10; anything but a number is 1. */
export function clampRounds(value: unknown): number {
  if (typeof value !== 'number' || Number.isNaN(value)) return 1;
  return Math.min(ROUNDS_MAX, Math.max(1, Math.floor(value)));
}
