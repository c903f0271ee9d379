import * as z from 'zod';
import { PARTICIPANTS_MAX } from '../../ensemble/panel/panel';
import { DEFAULT_STRATEGY, STRATEGY_NAMES, strategyName, strategyNamed } from '../../ensemble/strategies/strategies';
import { withForm, withNotes } from '../schema-notes';
import { listOf, objectOf } from '../schemas';
import { boundFields, boundNotes } from './bounds';
import { checksSchema } from './checks';
import { modelEntry, systemPromptField } from './model-entry';

const ROUNDS_MAX = 10;

const flag = z.boolean('must be a boolean');
const strategy = withForm(z.unknown().transform(strategyNamed), () => ({ type: 'string', enum: STRATEGY_NAMES }));
const mode = withForm(
  z.unknown().transform((value) => value === 'auto'),
  () => ({ type: 'string', examples: ['auto'] }),
);
const rounds = withForm(z.unknown(), () => ({ type: 'number', default: 1 }));

const optionFields = {
  strategy: strategy.optional(),
  mode: mode.optional(),
  rounds: rounds.optional(),
  iterations: rounds.optional(),
  models: listOf(modelEntry, {
    rule: 'must be an array',
    max: PARTICIPANTS_MAX,
    tooLong: `at most ${PARTICIPANTS_MAX} models`,
  }).default([]),
  includeFollowUpPrompts: flag.default(false),
  includeCandidates: flag.default(false),
  includeReasoning: flag.optional(),
  includeTrace: flag.default(false),
  ...boundFields,
  checks: checksSchema.optional(),
  webSearch: flag.default(false),
  dryRun: flag.default(false),
  systemPrompt: systemPromptField.optional(),
  shareSystemPrompt: flag.optional(),
};

/** The names of all options. */
export const OPTION_NAMES: readonly string[] = Object.keys(optionFields);

/** The `ai_ensemble` object (`docs/api.md`, Ensemble options) with its limits and defaults. */
export const ensembleOptionsSchema = withNotes(objectOf(optionFields, 'must be an object'), {
  name: 'EnsembleOptions',
  fields: {
    strategy: `How the participants work; anything but these names means \`${strategyName(DEFAULT_STRATEGY)}\`.`,
    mode: '`auto`: one draft may end the run. Any other value: the panel always plays. Without it virtual ids that end in `-auto` play on demand.',
    rounds: 'At most so many rounds; floored and clamped to 1 to 10, and 1 where it is no number.',
    iterations: 'Another name of `rounds`, which goes before it.',
    models: 'The participants; without any the `model` of the request alone, or the default panel of a virtual id.',
    includeFollowUpPrompts: 'Three suggestions for the next message, at the price of one more call.',
    includeCandidates: 'The last text of each participant.',
    includeReasoning:
      'An explanation by the arbiter, at the price of one more call. Default: whether `reasoning.effort` is set and not `none`.',
    includeTrace: 'All that happens in the run, event by event: `trace`.',
    ...boundNotes,
    checks: 'What the answer must satisfy: checked by code on the texts and on the answer.',
    webSearch:
      'Models that can search the web by their provider do so for their first text; the others run without, and it is said.',
    dryRun: 'Nothing is called; the reply has a `plan`.',
    systemPrompt: 'Instructions for the arbiter, in the place of the first system message; cut to 100,000 characters.',
    shareSystemPrompt: 'Whether participants follow the system messages, too. Default: true for virtual ids.',
  },
}).transform(({ iterations, rounds: asked, ...options }) => ({ ...options, rounds: clampRounds(iterations ?? asked) }));

/** Floored and clamped to 1–10; anything but a number is 1. */
export function clampRounds(value: unknown): number {
  if (typeof value !== 'number' || Number.isNaN(value)) return 1;
  return Math.min(ROUNDS_MAX, Math.max(1, Math.floor(value)));
}
