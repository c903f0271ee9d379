import type { Evaluated, JudgeOpinion } from '../evaluation/conclude';
import type { EvaluationRequest } from '../evaluation/evaluation';
import { criteriaOf, type RoleName, roleCriteria } from '../evaluation/roles';
import { rounded, type Scores } from '../evaluation/scoring';
import type { SpendTotals } from '../usage/books';
import { unpricedBody, usd } from './completion-body';

/** The spec's `EvaluationResponse`. Here, and only here, numbers are rounded. */
export function evaluationBody(
  request: EvaluationRequest,
  evaluations: readonly Evaluated[],
  totals: SpendTotals,
): object {
  const { promptTokens, completionTokens, costNanoUsd } = totals;
  return {
    evaluations: evaluations.map((evaluated) => ({
      ...modelEvaluation(evaluated),
      weighted: request.weighted,
      evaluationMode: request.mode,
    })),
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
      total_cost: usd(costNanoUsd),
      ...unpricedBody(totals),
    },
  };
}

function modelEvaluation({ response, consensus, opinions, totalJudges, reasoning }: Evaluated): object {
  const { role, ...named } = response;
  const spread = consensus?.spread;
  return {
    ...named,
    ...(role !== undefined && { role }),
    ...(consensus ? scoreFields(consensus.scores, role) : scoreFields(zeros(role), role)),
    overallScore: rounded(consensus?.overallScore ?? 0),
    reasoning,
    ...(opinions.length > 0 && { individualScores: opinions.map(individualScore) }),
    ...(spread && {
      overallScoreVariance: rounded(spread.variance),
      divergencePercent: rounded(spread.divergencePercent),
    }),
    scoredByJudges: opinions.length,
    totalJudges,
    ...(!consensus && { notScored: true }),
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

function roundedScores(scores: Scores): Scores {
  return Object.fromEntries(Object.entries(scores).map(([key, value]) => [key, rounded(value)]));
}

/** Placeholders, which `notScored` marks as such. */
function zeros(role: RoleName | undefined): Scores {
  return Object.fromEntries(criteriaOf([role]).map((key) => [key, 0]));
}
