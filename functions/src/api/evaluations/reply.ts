import type { Evaluated, JudgeOpinion } from '../../evaluation/conclude';
import type { EvaluationRequest } from '../../evaluation/evaluation';
import { criteriaOf, type RoleName, roleCriteria } from '../../evaluation/rubric';
import { rounded, type Scores } from '../../evaluation/scoring';
import type { Finished } from '../../runs/run';
import { unlessEmpty, usd } from '../answer/reply-parts';

/** An evaluation (`docs/api.md`, Evaluations). Here, and only here, numbers are rounded. */
export function evaluationBody(
  { weighted, mode: evaluationMode }: EvaluationRequest,
  { result, totals }: Finished<readonly Evaluated[]>,
): object {
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

function modelEvaluation({ response, consensus, opinions, totalJudges, reasoning }: Evaluated): object {
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
    notScored: consensus ? undefined : true,
  };
}

function individualScore({ judge, scores, overallScore, reasoning }: JudgeOpinion): object {
  return {
    judgeId: judge.id,
    judgeName: judge.name,
    criteria: roundedScores(scores),
    overallScore: rounded(overallScore),
    reasoning,
  };
}

/** The role's criteria appear twice, as the same numbers: among all and apart. */
function scoreFields(scores: Scores, role: RoleName | undefined): object {
  const criteria = roundedScores(scores);
  const further = roleCriteria(role).filter((key) => criteria[key] !== undefined);
  if (further.length === 0) return { criteria };
  return { criteria, roleSpecificCriteria: Object.fromEntries(further.map((key) => [key, criteria[key]])) };
}

/** Scores as replies show them. */
export function roundedScores(scores: Scores): Scores {
  return Object.fromEntries(Object.entries(scores).map(([key, value]) => [key, rounded(value)]));
}
