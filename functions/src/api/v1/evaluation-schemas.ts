import * as z from 'zod';
import { EVALUATION_STRATEGY_NAMES } from '../../evaluation/evaluation';
import { ROLE_NAMES } from '../../evaluation/rubric';
import { PLAIN_TEXT, PLAIN_TEXT_RULE } from '../../lib/foreign-text';
import { always, amount, count, flag, list, mapOf, named, oneOf, text } from '../../lib/reply-schemas';
import { unpriced } from '../answer/run-result';
import { bool, listOf, objectOf } from '../shared/schemas';

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
const judge = objectOf(
  { id: name.describe('A model id.'), name: name.describe('For the reply.') },
  'must be an object',
).meta({ id: 'Judge' });
const response = objectOf(
  {
    modelId: name.describe('Never shown to a judge.'),
    modelName: name.describe('Never shown to a judge.'),
    response: z
      .string('must be a non-empty string')
      .min(1, 'must be a non-empty string')
      .describe('The text to be scored.'),
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
  responses: listOf(response, LIST_RULES).describe('The responses to be scored.'),
  judge_models: listOf(judge, LIST_RULES).describe('Who scores them; the same model may judge more than once.'),
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

const Evaluation = named('Evaluation', () =>
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
  evaluations: list(Evaluation, 'In the order of the request.'),
  usage: z.object({
    prompt_tokens: count('Of all judge calls.'),
    completion_tokens: count('Likewise.'),
    total_tokens: count('The sum of both.'),
    total_cost: amount('In US dollars.'),
    unpriced_models: unpriced(),
  }),
});

export const EvaluationList = named('EvaluationList', () => z.object(evaluationListFields()));
