import * as z from 'zod';
import { isRefusal, type Refusal, refuse } from '../../errors';
import type { Evaluated } from '../../evaluation/conclude';
import {
  EVALUATION_STRATEGIES,
  EVALUATION_STRATEGY_NAMES,
  type EvaluationRequest as Evaluation,
  type ObserveJudges,
} from '../../evaluation/evaluation';
import { openEvaluation } from '../../evaluation/open-evaluation';
import { ROLE_NAMES } from '../../evaluation/rubric';
import type { ApiRequest } from '../../http/route';
import { type Admitted, admit } from '../../runs/admit';
import { playable, wholeReply } from '../answer/replies';
import type { EndpointDeps } from '../deps';
import { keyRoute } from '../shared/operation';
import { bool, listOf, objectOf, plainText } from '../shared/schemas';
import { EvaluationList, evaluationBody, modeOf } from './evaluation-body';

/** Ids and names come back in the reply, names once for every response: no real one is longer. */
const NAME_CHARACTERS_MAX = 200;
const NAME_RULE = `must be a non-empty string of at most ${NAME_CHARACTERS_MAX} characters`;
const PROMPT_RULE = 'is required and must be a non-empty string';
const TEXT_RULE = 'must be a non-empty string';
const LIST_RULE = 'is required and must be a non-empty array';

const name = plainText({ rule: NAME_RULE, max: NAME_CHARACTERS_MAX, tooLong: NAME_RULE });
const judge = objectOf(
  { id: name.describe('A model id.'), name: name.describe('For the reply.') },
  'must be an object',
).meta({ id: 'Judge' });
const response = objectOf(
  {
    modelId: name.describe('Never shown to a judge.'),
    modelName: name.describe('Never shown to a judge.'),
    response: z.string(TEXT_RULE).min(1, TEXT_RULE).describe('The text to be scored.'),
    role: z
      .enum(ROLE_NAMES, `must be one of ${ROLE_NAMES.join(', ')}`)
      .exactOptional()
      .describe('The part its author played: three criteria of the role are scored as well.'),
  },
  'must be an object',
).meta({ id: 'JudgedResponse' });

/** Fields of an evaluation request. */
export const EVALUATION_FIELDS = {
  prompt: z.string(PROMPT_RULE).regex(/\S/, PROMPT_RULE).describe('What the responses answer.'),
  responses: listOf(response, LIST_RULE, { min: 1 }).describe('The responses to be scored.'),
  judge_models: listOf(judge, LIST_RULE, { min: 1 }).describe(
    'Who scores them; the same model may judge more than once.',
  ),
  strategy: z
    .enum(EVALUATION_STRATEGY_NAMES, `must be one of ${EVALUATION_STRATEGY_NAMES.join(', ')}`)
    .default('standard')
    .describe('How the judges are asked.'),
  evaluation_mode: z
    .unknown()
    .optional()
    .meta({ type: 'string', enum: ['standard', 'pointwise'], default: 'standard' })
    .describe('`pointwise`: each response in a call of its own. Any other value means `standard`: all in one.'),
  weighted: bool().default(false).describe('Whether judges far from their peers count less.'),
};

/** Body of `POST /v1/evaluations` (`docs/api.md`, Evaluations). */
export const EvaluationRequest = objectOf(EVALUATION_FIELDS).meta({ id: 'EvaluationRequest' });

export type EvaluationFields = z.infer<typeof EvaluationRequest>;

/** Sentence of a 400 for a field. */
export function evaluationFlaw(field: string, rule: string): string {
  return `Invalid request: ${field} ${rule}`;
}

/** Given responses, scored by judge models. Too many calls are refused before any is made. */
export const createEvaluation = keyRoute({
  at: 'POST /v1/evaluations',
  endpoint: 'evaluations',
  limited: true,
  id: 'createEvaluation',
  tag: 'Evaluations',
  summary: 'Score given responses with judge models',
  body: EvaluationRequest,
  flaw: evaluationFlaw,
  examples: {
    two_responses: {
      summary: 'Two responses, two judges',
      value: {
        prompt: 'Should our clinic book appointments online?',
        responses: [
          { modelId: 'demo-ada', modelName: 'Demo Ada', response: 'Yes, with a telephone line for those who cannot.' },
          { modelId: 'demo-blaise', modelName: 'Demo Blaise', response: 'No.', role: 'opposition' },
        ],
        judge_models: [
          { id: 'demo-ada', name: 'Demo Ada' },
          { id: 'demo-curie', name: 'Demo Curie' },
        ],
        strategy: 'round_robin',
        evaluation_mode: 'pointwise',
      },
    },
  },
  reply: EvaluationList,
  run: async (deps, request, fields) => {
    const admitted = await admitEvaluation(deps, request, fields);
    if (isRefusal(admitted)) return admitted;
    return wholeReply(playable(admitted), (finished) => evaluationBody(fields, finished));
  },
});

/** Lets an evaluation in; `observe` is told judge by judge how it goes. */
export async function admitEvaluation(
  deps: EndpointDeps,
  request: ApiRequest,
  { observe, ...fields }: EvaluationFields & { readonly observe?: ObserveJudges },
): Promise<Admitted<readonly Evaluated[]> | Refusal> {
  const evaluation = evaluationOf(deps, fields);
  if (isRefusal(evaluation)) return evaluation;
  const told = { labelKey: deps.labelKey, requestId: request.id, ...(observe && { observe }) };
  const opened = openEvaluation(evaluation, told);
  return isRefusal(opened) ? opened : admit(deps, request, opened);
}

/**
 * The evaluation that a body asks for, with what the catalog knows of its judges. Refuses judges that the deployment does
 * not allow, by field.
 */
export function evaluationOf(
  { catalog, modelFlaw }: Pick<EndpointDeps, 'catalog' | 'modelFlaw'>,
  fields: EvaluationFields,
): Evaluation | Refusal {
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
    mode: modeOf(evaluation_mode),
    weighted,
    canonicalId: (name) => catalog.modelIdOfName(name).toLowerCase(),
  };
}
