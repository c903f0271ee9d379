import { isRefusal, type Refusal, refuse } from '../../errors';
import type { Evaluated, JudgeOpinion } from '../../evaluation/conclude';
import { EVALUATION_STRATEGIES, type EvaluationRequest as Evaluation } from '../../evaluation/evaluation';
import { openEvaluation } from '../../evaluation/open-evaluation';
import { criteriaOf, type RoleName, roleCriteria } from '../../evaluation/rubric';
import { rounded, type Scores } from '../../evaluation/scoring';
import type { Sent } from '../../lib/reply-schemas';
import { usd } from '../../lib/usd';
import { admit } from '../../runs/admit';
import type { Finished } from '../../runs/run';
import { unlessEmpty } from '../answer/plan';
import { wholeReply } from '../answer/replies';
import type { EndpointDeps } from '../deps';
import { keyRoute } from '../shared/operation';
import { type EvaluationFields, EvaluationList, EvaluationRequest, evaluationFlaw } from './evaluation-schemas';

/** Given responses, scored by judge models. Too many calls are refused before any is made. */
export const createEvaluation = keyRoute({
  post: '/v1/evaluations',
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
    const evaluation = evaluationOf(deps, fields);
    if (isRefusal(evaluation)) return evaluation;
    const opened = openEvaluation(evaluation, { labelKey: deps.labelKey, requestId: request.id });
    if (isRefusal(opened)) return opened;
    const admitted = await admit(deps, request, opened);
    if (isRefusal(admitted)) return admitted;
    return wholeReply(admitted, (finished) => evaluationBody(evaluation, finished));
  },
});

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
    mode: evaluation_mode === 'pointwise' ? 'pointwise' : 'standard',
    weighted,
    canonicalId: (name) => catalog.modelIdOfName(name).toLowerCase(),
  };
}

/** An evaluation (`docs/api.md`, Evaluations). Here, and only here, numbers are rounded. */
export function evaluationBody(
  { weighted, mode: evaluationMode }: Evaluation,
  { result, totals }: Finished<readonly Evaluated[]>,
): Sent<typeof EvaluationList> {
  const { promptTokens, completionTokens, costNanoUsd, unpricedModels } = totals;
  return {
    evaluations: result.map((evaluated) => ({ ...modelEvaluation(evaluated), weighted, evaluationMode })),
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
      total_cost: usd(costNanoUsd),
      unpriced_models: unlessEmpty(unpricedModels),
    },
  };
}

function modelEvaluation({ response, consensus, opinions, totalJudges, reasoning }: Evaluated) {
  const { role } = response;
  // Placeholders, which `notScored` marks as such.
  const zeros = Object.fromEntries(criteriaOf([role]).map((key) => [key, 0]));
  const spread = consensus?.spread;
  return {
    ...response,
    ...scoreFields(consensus?.scores ?? zeros, role),
    overallScore: rounded(consensus?.overallScore ?? 0),
    reasoning,
    individualScores: unlessEmpty(opinions.map(individualScore)),
    overallScoreVariance: spread && rounded(spread.variance),
    divergencePercent: spread && rounded(spread.divergencePercent),
    scoredByJudges: opinions.length,
    totalJudges,
    notScored: consensus ? undefined : (true as const),
  };
}

function individualScore({ judge, scores, overallScore, reasoning }: JudgeOpinion) {
  return {
    judgeId: judge.id,
    judgeName: judge.name,
    criteria: roundedScores(scores),
    overallScore: rounded(overallScore),
    reasoning,
  };
}

/** The role's criteria appear twice, as the same numbers: among all and apart. */
function scoreFields(scores: Scores, role: RoleName | undefined) {
  const criteria = roundedScores(scores);
  const further = roleCriteria(role).filter((key) => criteria[key] !== undefined);
  if (further.length === 0) return { criteria };
  return { criteria, roleSpecificCriteria: Object.fromEntries(further.map((key) => [key, criteria[key] ?? 0])) };
}

/** Scores as replies show them. */
export function roundedScores(scores: Scores): Scores {
  return Object.fromEntries(Object.entries(scores).map(([key, value]) => [key, rounded(value)]));
}
