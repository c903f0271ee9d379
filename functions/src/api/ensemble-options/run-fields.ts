import * as z from 'zod';
import type { AnswerForm } from '../../ensemble/form/answer-form';
import type { Strategy } from '../../ensemble/run';
import { PLAIN_TEXT, PLAIN_TEXT_RULE } from '../../lib/foreign-text';
import type { Messages } from '../shared/messages';
import { objectOf } from '../shared/schemas';
import { ensembleOptionsSchema } from './ensemble-options';
import type { ToolFields } from './tool-offer';

/** A model id as a client may send it: any plain text, which passes through unchanged. */
export const modelField = z
  .string('must be a non-empty string')
  .regex(/\S/, 'must be a non-empty string')
  .max(200, 'at most 200 characters')
  .regex(PLAIN_TEXT, PLAIN_TEXT_RULE);

/** Fields beside model and message, the same at every endpoint that runs an ensemble. */
export const runFields = {
  stream: z.boolean('must be a boolean').default(false).describe('Whether the reply comes as server-sent events.'),
  // Other values than false are none of this API's, and say nothing.
  store: z
    .unknown()
    .default(true)
    .transform((value) => value !== false)
    .meta({ type: 'boolean' })
    .describe('Whether a run with a trace is kept, so that it can be read again.'),
  temperature: numberBetween(0, 2).describe("Of the arbiter's judgement and of the answer; default: the provider's."),
  top_p: numberBetween(0, 1).describe('Likewise.'),
  reasoning: objectOf(
    {
      effort: z
        .string('must be a string')
        .optional()
        .describe('Any level but `none` switches the explanation on, and has no other effect.'),
    },
    'must be an object',
  )
    .optional()
    .describe('Whether an explanation is asked for, as clients of other services say it.'),
  ai_ensemble: ensembleOptionsSchema
    .prefault({})
    .describe('Who takes part, and how; without it one model answers, or what a virtual id stands for.'),
};

/** Values of the body of every such request. */
export interface RunFields extends z.infer<z.ZodObject<typeof runFields>> {
  readonly model: string;
  readonly messages: Messages;
  /** Absent: what a virtual model stands for, or the default strategy. */
  readonly strategy?: Strategy;
  /** True if the endpoint takes the model's id for that of an ensemble unless it is a model's. */
  readonly namesEnsemble?: boolean;
  /** Absent: the answer may have any form. */
  readonly answerForm?: AnswerForm;
  readonly toolFields?: ToolFields;
}

function numberBetween(min: number, max: number): z.ZodOptional<z.ZodNumber> {
  const rule = `must be between ${min} and ${max}`;
  return z.number(`must be a number between ${min} and ${max}`).min(min, rule).max(max, rule).optional();
}
