import * as z from 'zod';
import { type Refusal, refuse } from '../../errors';
import { EVALUATION_STRATEGIES, EVALUATION_STRATEGY_NAMES, type EvaluationRequest } from '../../evaluation/evaluation';
import { ROLE_NAMES } from '../../evaluation/rubric';
import { PLAIN_TEXT, PLAIN_TEXT_RULE } from '../../lib/plain-text';
import type { EndpointDeps } from '../endpoint-deps';
import { withForm, withNotes } from '../schema-notes';
import { listOf, objectOf } from '../schemas';

/** Ids and names come back in the reply, names once for every response: no real one is longer. */
const NAME_CHARACTERS_MAX = 200;
const NAME_RULE = `must be a non-empty string of at most ${NAME_CHARACTERS_MAX} characters`;
const PROMPT_RULE = 'is required and must be a non-empty string';
const LIST_RULES = { rule: 'is required and must be a non-empty array', min: 1 };

const name = z
  .string(NAME_RULE)
  .max(NAME_CHARACTERS_MAX, NAME_RULE)
  .regex(/\S/, NAME_RULE)
  .regex(PLAIN_TEXT, PLAIN_TEXT_RULE);
const judge = withNotes(objectOf({ id: name, name }, 'must be an object'), {
  name: 'Judge',
  fields: { id: 'A model id.', name: 'For the reply.' },
});
const response = withNotes(
  objectOf(
    {
      modelId: name,
      modelName: name,
      response: z.string('must be a non-empty string').min(1, 'must be a non-empty string'),
      role: z.enum(ROLE_NAMES, `must be one of ${ROLE_NAMES.join(', ')}`).exactOptional(),
    },
    'must be an object',
  ),
  {
    name: 'JudgedResponse',
    fields: {
      modelId: 'Never shown to a judge.',
      modelName: 'Never shown to a judge.',
      response: 'The text to be scored.',
      role: 'The part its author played: three criteria of the role are scored as well.',
    },
  },
);
/** Anything but `pointwise` is the default. */
const evaluationMode = withForm(z.unknown(), () => ({
  type: 'string',
  enum: ['standard', 'pointwise'],
  default: 'standard',
}));

/** The fields of an evaluation request. */
export const EVALUATION_FIELDS = {
  prompt: z.string(PROMPT_RULE).regex(/\S/, PROMPT_RULE),
  responses: listOf(response, LIST_RULES),
  judge_models: listOf(judge, LIST_RULES),
  strategy: z
    .enum(EVALUATION_STRATEGY_NAMES, `must be one of ${EVALUATION_STRATEGY_NAMES.join(', ')}`)
    .default('standard'),
  evaluation_mode: evaluationMode.optional(),
  weighted: z.boolean('must be a boolean').default(false),
};

/** What the description says of them. */
export const EVALUATION_NOTES = {
  prompt: 'What the responses answer.',
  responses: 'The responses to be scored.',
  judge_models: 'Who scores them; the same model may judge more than once.',
  strategy: 'How the judges are asked.',
  evaluation_mode: '`pointwise`: each response in a call of its own. Any other value means `standard`: all in one.',
  weighted: 'Whether judges far from their peers count less.',
};

/** The body of an evaluation request (`docs/api.md`, Evaluations). */
export const evaluationSchema = withNotes(objectOf(EVALUATION_FIELDS), { fields: EVALUATION_NOTES });

/** How a 400 names what is wrong with it. */
export function evaluationFlaw(field: string, rule: string): string {
  return `Invalid request: ${field} ${rule}`;
}

export type EvaluationFields = z.infer<typeof evaluationSchema>;

/**
 * The evaluation that a body asks for, with what the catalog knows of its judges. Refuses judges that the deployment does
 * not allow, by field.
 */
export function evaluationRequest(
  { catalog, modelFlaw }: Pick<EndpointDeps, 'catalog' | 'modelFlaw'>,
  fields: EvaluationFields,
): EvaluationRequest | Refusal {
  const { prompt, responses, judge_models, strategy, evaluation_mode, weighted } = fields;
  for (const [index, { id }] of judge_models.entries()) {
    const flaw = modelFlaw(catalog.modelOf(id));
    if (flaw) return refuse('invalid_request', `Invalid request: judge_models[${index}].id ${flaw}`);
  }
  return {
    message: prompt,
    responses,
    judges: judge_models.map(({ id, name }, index) => ({ index, id, name, model: catalog.modelOf(id) })),
    strategy: EVALUATION_STRATEGIES[strategy],
    mode: evaluation_mode === 'pointwise' ? 'pointwise' : 'standard',
    weighted,
    canonicalId: (name) => catalog.modelIdOfName(name).toLowerCase(),
  };
}
