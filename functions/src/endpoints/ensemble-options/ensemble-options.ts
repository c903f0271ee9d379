import * as z from 'zod';
import { PARTICIPANTS_MAX } from '../../ensemble/panel/panel';
import { strategyNamed } from '../../ensemble/strategies/strategies';
import { listOf, objectOf } from '../schemas';
import { boundFields } from './bounds';
import { modelEntry, systemPromptField } from './model-entry';

const ROUNDS_MAX = 10;

const flag = z.boolean('must be a boolean');

const optionFields = {
  strategy: z.unknown().transform(strategyNamed).optional(),
  mode: z
    .unknown()
    .transform((mode) => mode === 'auto')
    .optional(),
  rounds: z.unknown().optional(),
  iterations: z.unknown().optional(),
  models: listOf(modelEntry, {
    rule: 'must be an array',
    max: PARTICIPANTS_MAX,
    tooLong: `at most ${PARTICIPANTS_MAX} models`,
  }).default([]),
  includeFollowUpPrompts: flag.default(false),
  includeCandidates: flag.default(false),
  includeReasoning: flag.optional(),
  ...boundFields,
  dryRun: flag.default(false),
  systemPrompt: systemPromptField.optional(),
  shareSystemPrompt: flag.optional(),
};

/** The names of all options. */
export const OPTION_NAMES: readonly string[] = Object.keys(optionFields);

/** The `ai_ensemble` object (`docs/api.md`, Ensemble options) with its limits and defaults. */
export const ensembleOptionsSchema = objectOf(optionFields, 'must be an object').transform(
  ({ iterations, rounds, ...options }) => ({ ...options, rounds: clampRounds(iterations ?? rounds) }),
);

/** Floored and clamped to 1–10; anything but a number is 1. */
export function clampRounds(value: unknown): number {
  if (typeof value !== 'number' || Number.isNaN(value)) return 1;
  return Math.min(ROUNDS_MAX, Math.max(1, Math.floor(value)));
}
