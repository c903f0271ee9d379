/* The reply of an evaluation: its schema, and what makes it of the result. */
import * as z from 'zod';
import type { Evaluated, JudgeOpinion } from '../../evaluation/conclude';
import { criteriaOf, ROLE_NAMES, roleCriteria } from '../../evaluation/rubric';
import { rounded, type Scores } from '../../evaluation/scoring';
import { always, amount, count, flag, list, mapOf, named, oneOf, type Sent, text } from '../../lib/reply-schemas';
import { usd } from '../../lib/usd';
import type { Finished } from '../../runs/run';
import { unlessEmpty } from '../answer/plan';
import { unpriced } from '../answer/run-result';

const score = () => z.number().min(0).max(10);
export const criteria = (description = 'By criterion, 0 to 10.') => mapOf(score(), description);
export const overallScore = () => score().describe('0 to 10.');

const JudgeScores = named('JudgeScores', () =>
  z.object({
    judgeId: text('As sent.'),
    judgeName: text('As sent.'),
    criteria: criteria(),
    overallScore: overallScore(),
    reasoning: text('In the words of the judge, at most 4,000 characters.'),
  }),
);

const ModelEvaluation = named('Evaluation', () =>
  z.object({
    modelId: text('As sent.'),
    modelName: text('As sent.'),
    response: text('As sent.'),
    role: oneOf(ROLE_NAMES, 'As sent.').optional(),
    criteria: criteria(),
    roleSpecificCriteria: criteria('With a role: its criteria again.').optional(),
    overallScore: overallScore(),
    reasoning: text('The words of the judge nearest to the consensus; the causes when there is no score.'),
    individualScores: list(JudgeScores, 'Judges with usable scores, in the order of `judge_models`.').optional(),
    overallScoreVariance: amount('With two usable judges or more.').optional(),
    divergencePercent: amount('Likewise.').optional(),
    scoredByJudges: count('Judges with usable scores.'),
    totalJudges: count('Judges that were to score this response.'),
    notScored: always(true, 'No judge gave a usable score: all scores are placeholders.').optional(),
    weighted: flag('What was applied.'),
    evaluationMode: oneOf(['standard', 'pointwise'], 'What was applied.'),
  }),
);

export const evaluationListFields = () => ({
  evaluations: list(ModelEvaluation, 'In the order of the request.'),
  usage: z.object({
    prompt_tokens: count('Of all judge calls.'),
    completion_tokens: count('Likewise.'),
    total_tokens: count('The sum of both.'),
    total_cost: amount('In US dollars.'),
    unpriced_models: unpriced(),
  }),
});

export const EvaluationList = named('EvaluationList', () => z.object(evaluationListFields()));

/** An evaluation (`docs/api.md`, Evaluations). Here, and only here, numbers are rounded. */
export function evaluationBody(
  { weighted, evaluation_mode }: { readonly weighted: boolean; readonly evaluation_mode?: unknown },
  { result, totals }: Finished<readonly Evaluated[]>,
): Sent<typeof EvaluationList> {
  const { promptTokens, completionTokens, costNanoUsd, unpricedModels } = totals;
  const evaluationMode = modeOf(evaluation_mode);
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

/** Mode that a field names: any value but `pointwise` is `standard`. */
export function modeOf(named: unknown): 'pointwise' | 'standard' {
  return named === 'pointwise' ? 'pointwise' : 'standard';
}

function modelEvaluation({ response, consensus, opinions, totalJudges, reasoning }: Evaluated) {
  const { role } = response;
  // Placeholders, which `notScored` marks as such.
  const zeros = Object.fromEntries(criteriaOf([role]).map((key) => [key, 0]));
  const criteria = roundedScores(consensus?.scores ?? zeros);
  // The role's criteria appear twice, as the same numbers: among all and apart.
  const ofRole: readonly string[] = roleCriteria(role);
  const further = Object.entries(criteria).filter(([key]) => ofRole.includes(key));
  const spread = consensus?.spread;
  return {
    ...response,
    criteria,
    roleSpecificCriteria: further.length > 0 ? Object.fromEntries(further) : undefined,
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
  const scored = { criteria: roundedScores(scores), overallScore: rounded(overallScore) };
  return { judgeId: judge.id, judgeName: judge.name, ...scored, reasoning };
}

/** Scores as replies show them. */
export function roundedScores(scores: Scores): Scores {
  return Object.fromEntries(Object.entries(scores).map(([key, value]) => [key, rounded(value)]));
}
