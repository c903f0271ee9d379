import * as z from 'zod';
import { PARTICIPANTS_MAX } from '../../ensemble/panel/panel';
import { DEFAULT_STRATEGY, STRATEGY_NAMES, strategyName, strategyNamed } from '../../ensemble/strategies/strategies';
import { listOf, objectOf } from '../shared/schemas';
import { boundFields } from './bounds';
import { checksSchema } from './checks';
import { modelEntry, systemPromptField } from './model-entry';

const ROUNDS_MAX = 10;

const flag = z.boolean('must be a boolean');

const optionFields = {
  strategy: z
    .unknown()
    .transform(strategyNamed)
    .optional()
    .meta({ type: 'string', enum: STRATEGY_NAMES })
    .describe(`How the participants work; anything but these names means \`${strategyName(DEFAULT_STRATEGY)}\`.`),
  mode: z
    .unknown()
    .transform((value) => value === 'auto')
    .optional()
    .meta({ type: 'string', examples: ['auto'] })
    .describe(
      '`auto`: one draft may end the run. Any other value: the panel always plays. Without it virtual ids that end in `-auto` play on demand.',
    ),
  rounds: z
    .unknown()
    .optional()
    .meta({ type: 'number', default: 1 })
    .describe('At most so many rounds; floored and clamped to 1 to 10, and 1 where it is no number.'),
  iterations: z
    .unknown()
    .optional()
    .meta({ type: 'number', default: 1 })
    .describe('Another name of `rounds`, which goes before it.'),
  models: listOf(modelEntry, {
    rule: 'must be an array',
    max: PARTICIPANTS_MAX,
    tooLong: `at most ${PARTICIPANTS_MAX} models`,
  })
    .default([])
    .describe('The participants; without any the `model` of the request alone, or the default panel of a virtual id.'),
  includeFollowUpPrompts: flag
    .default(false)
    .describe('Three suggestions for the next message, at the price of one more call.'),
  includeCandidates: flag.default(false).describe('The last text of each participant.'),
  includeReasoning: flag
    .optional()
    .describe(
      'An explanation by the arbiter, at the price of one more call. Default: whether `reasoning.effort` is set and not `none`.',
    ),
  includeTrace: flag.default(false).describe('All that happens in the run, event by event: `trace`.'),
  ...boundFields,
  checks: checksSchema
    .optional()
    .describe('What the answer must satisfy: checked by code on the texts and on the answer.'),
  webSearch: flag
    .default(false)
    .describe(
      'Models that can search the web by their provider do so for their first text; the others run without, and it is said.',
    ),
  dryRun: flag.default(false).describe('Nothing is called; the reply has a `plan`.'),
  systemPrompt: systemPromptField
    .optional()
    .describe('Instructions for the arbiter, in the place of the first system message; cut to 100,000 characters.'),
  shareSystemPrompt: flag
    .optional()
    .describe('Whether participants follow the system messages, too. Default: true for virtual ids.'),
};

/** Names of all options. */
export const OPTION_NAMES: readonly string[] = Object.keys(optionFields);

/** The `ai_ensemble` object (`docs/api.md`, Ensemble options) with its limits and defaults. */
export const ensembleOptionsSchema = objectOf(optionFields, 'must be an object')
  .meta({ id: 'EnsembleOptions' })
  .transform(({ iterations, rounds, ...options }) => ({ ...options, rounds: clampRounds(iterations ?? rounds) }));

/** Floored and clamped to 1–10; anything but a number is 1. */
export function clampRounds(value: unknown): number {
  if (typeof value !== 'number' || Number.isNaN(value)) return 1;
  return Math.min(ROUNDS_MAX, Math.max(1, Math.floor(value)));
}
