import * as z from 'zod';
import { PARTICIPANTS_MAX } from '../../ensemble/panel/panel';
import { strategyNamed } from '../../ensemble/strategies/strategies';
import { PLAIN_TEXT } from '../../lib/plain-text';
import { listOf, objectOf } from '../schemas';

/** Of `ai_ensemble.systemPrompt` this much is kept. */
const SYSTEM_PROMPT_CHARACTERS_MAX = 100_000;
const ROUNDS_MAX = 10;

const MODEL_RULE = 'must be a model id or an object with id or name';
const text = z.string().regex(/\S/, MODEL_RULE).max(200, 'at most 200 characters').regex(PLAIN_TEXT);
/** A model as a caller names it: by id, or by the name that people see. */
const modelEntry = z.union(
  [
    text.transform((id) => ({ id })),
    // The transforms make a flaw inside an object a flaw of the whole entry.
    z.object({ id: text }).transform(({ id }) => ({ id })),
    z.object({ name: text }).transform(({ name }) => ({ name })),
  ],
  MODEL_RULE,
);
const flag = z.boolean('must be a boolean');

/** The `ai_ensemble` object (`docs/api.md`, Ensemble options) with its limits and defaults. */
export const ensembleOptionsSchema = objectOf(
  {
    strategy: z.unknown().transform(strategyNamed).optional(),
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
    systemPrompt: z.string('must be a string').transform(truncate).optional(),
  },
  'must be an object',
).transform(({ iterations, rounds, ...options }) => ({ ...options, rounds: clampRounds(iterations ?? rounds) }));

/** Floored and clamped to 1–10; anything but a number is 1. */
function clampRounds(value: unknown): number {
  if (typeof value !== 'number' || Number.isNaN(value)) return 1;
  return Math.min(ROUNDS_MAX, Math.max(1, Math.floor(value)));
}

/** Cuts to the limit without leaving half a surrogate pair, which no provider would accept. */
function truncate(systemPrompt: string): string {
  const cut = systemPrompt.slice(0, SYSTEM_PROMPT_CHARACTERS_MAX);
  return cut.isWellFormed() || !systemPrompt.isWellFormed() ? cut : cut.slice(0, -1);
}
