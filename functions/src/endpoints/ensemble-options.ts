import * as z from 'zod';
import { PARTICIPANTS_MAX } from '../ensemble/panel';
import { type StrategyName, strategyNamed } from '../ensemble/strategy-names';
import { objectOf } from './parse';

/** Characters of `ai_ensemble.systemPrompt` that are kept (spec "Limits"). */
const SYSTEM_PROMPT_CHARACTERS_MAX = 100_000;
const ROUNDS_MAX = 10;

/** A model as a caller names it: by id, or by the name that people see. */
export type ModelReference = { readonly id: string } | { readonly name: string };

/** The caller's ensemble options after clamping, aliases and defaults; absent stays absent where that means something. */
export interface EnsembleOptions {
  /** Absent when not named; an unknown name is the default strategy. */
  readonly strategy?: StrategyName;
  readonly rounds: number;
  /** Participants in request order; empty when omitted. */
  readonly models: readonly ModelReference[];
  readonly includeFollowUps: boolean;
  readonly includeCandidates: boolean;
  /** Absent when not said: then `reasoning.effort` decides. */
  readonly includeExplanation?: boolean;
  readonly systemPrompt?: string;
}

const MODEL_RULE = 'must be a model id or an object with id or name';
const text = z.string().regex(/\S/, MODEL_RULE).max(200, 'at most 200 characters');
const modelEntry = z.union(
  [
    text.transform((id): ModelReference => ({ id })),
    z.object({ id: text }).transform(({ id }): ModelReference => ({ id })),
    z.object({ name: text }).transform(({ name }): ModelReference => ({ name })),
  ],
  MODEL_RULE,
);
const flag = z.boolean('must be a boolean').optional();

/** The `ai_ensemble` object (spec "AiCrucibleOptions"); unknown properties are ignored, null means absent. */
export const ensembleOptionsSchema = objectOf(
  {
    strategy: z.unknown().optional(),
    rounds: z.unknown().optional(),
    iterations: z.unknown().optional(),
    models: z
      .unknown()
      .refine(Array.isArray, { error: 'must be an array', abort: true })
      // Counted before it is read: a long list is not worth a look at each entry.
      .refine((list) => (list as unknown[]).length <= PARTICIPANTS_MAX, {
        error: `at most ${PARTICIPANTS_MAX} models`,
        abort: true,
      })
      .pipe(z.array(modelEntry))
      .optional(),
    includeFollowUpPrompts: flag,
    includeCandidates: flag,
    includeReasoning: flag,
    systemPrompt: z.string('must be a string').optional(),
  },
  'must be an object',
).transform((options): EnsembleOptions => {
  const { strategy, includeReasoning, systemPrompt } = options;
  return {
    rounds: clampRounds(options.iterations ?? options.rounds),
    models: options.models ?? [],
    includeFollowUps: options.includeFollowUpPrompts ?? false,
    includeCandidates: options.includeCandidates ?? false,
    ...(strategy !== undefined && { strategy: strategyNamed(strategy) }),
    ...(includeReasoning !== undefined && { includeExplanation: includeReasoning }),
    ...(systemPrompt && { systemPrompt: truncate(systemPrompt) }),
  };
});

/** The `reasoning` object: any level switches the explanation on and has no other effect. */
export const reasoningSchema = objectOf(
  { effort: z.enum(['low', 'medium', 'high'], 'must be one of low, medium, high').optional() },
  'must be an object',
);

/** Floored and clamped to 1–10; anything but a number is 1 (spec `rounds`). */
function clampRounds(value: unknown): number {
  if (typeof value !== 'number' || Number.isNaN(value)) return 1;
  return Math.min(ROUNDS_MAX, Math.max(1, Math.floor(value)));
}

/** Cuts to the limit without leaving half a surrogate pair, which no provider would accept. */
function truncate(prompt: string): string {
  const cut = prompt.slice(0, SYSTEM_PROMPT_CHARACTERS_MAX);
  return cut.isWellFormed() || !prompt.isWellFormed() ? cut : cut.slice(0, -1);
}
