import * as z from 'zod';
import { ensembleOptionsSchema, reasoningSchema } from './ensemble-options';

/** A model id as a client may send it (spec "ModelId"): any text, which passes through unchanged. */
export const modelField = z
  .string('must be a non-empty string')
  .regex(/\S/, 'must be a non-empty string')
  .max(200, 'at most 200 characters');

/** What a request for a run may say beside its model and its prompt, the same at every endpoint that has runs. */
export const runFields = {
  stream: z.boolean('must be a boolean').optional(),
  temperature: numberBetween(0, 2),
  top_p: numberBetween(0, 1),
  reasoning: reasoningSchema.optional(),
  ai_ensemble: ensembleOptionsSchema.optional(),
};

/** `runFields` and the model, parsed. */
export type RunFields = { readonly model: string } & z.infer<z.ZodObject<typeof runFields>>;

function numberBetween(min: number, max: number): z.ZodOptional<z.ZodNumber> {
  const rule = `must be between ${min} and ${max}`;
  return z.number(rule).min(min, rule).max(max, rule).optional();
}
