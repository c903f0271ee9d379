import { ROLE_NAMES } from '../../evaluation/rubric';
import type { JsonSchema } from '../schema-notes';
import { always, amount, count, type Fields, flag, list, mapOf, ref, shape, text } from './shapes';

const score: JsonSchema = { type: 'number', minimum: 0, maximum: 10 };
const criteria = mapOf(score, 'By criterion, 0 to 10.');
const overallScore = { ...score, description: '0 to 10.' };
const unpriced = list({ type: 'string' }, 'Ids of models that have no known price.');
const perMillion = (what: string): JsonSchema => amount(`US dollars for a million tokens of ${what}.`);

const evaluationList: Fields = {
  evaluations: list(ref('Evaluation'), 'In the order of the request.'),
  usage: shape(
    {
      prompt_tokens: count('Of all judge calls.'),
      completion_tokens: count('Likewise.'),
      total_tokens: count('The sum of both.'),
      total_cost: amount('In US dollars.'),
    },
    { unpriced_models: unpriced },
  ),
};

/** The replies of all other endpoints, and what they are made of. */
export const OTHER_REPLIES: Readonly<Record<string, JsonSchema>> = {
  EvaluationList: shape(evaluationList),
  EvaluationEvent: {
    anyOf: ['JudgeEvent', 'EvaluationResult', 'EvaluationFailed'].map(ref),
    description: 'One event of an evaluation that is told judge by judge.',
  },
  JudgeEvent: shape(
    {
      type: always('judge'),
      judge: shape({
        index: count('Its place among the judges of the request, from 0.'),
        id: text('As sent.'),
        name: text('As sent.'),
      }),
      response: count('By place in the request, from 0.'),
      round: count('2: a second look, with the scores of the others before it.'),
      state: text('What has happened. What counts in the end is the result alone.', {
        enum: ['started', 'done', 'failed'],
      }),
    },
    {
      scores: { ...criteria, description: 'Of a judge that is done, by criterion.' },
      overallScore,
      reasoning: text('In the words of the judge.'),
      reason: text('Why there are no scores.'),
    },
  ),
  EvaluationResult: shape({ type: always('result'), ...evaluationList }),
  EvaluationFailed: shape({ type: always('failed'), message: text('Why there is no result.') }),
  Evaluation: shape(
    {
      modelId: text('As sent.'),
      modelName: text('As sent.'),
      response: text('As sent.'),
      criteria,
      overallScore,
      reasoning: text('The words of the judge nearest to the consensus; the causes when there is no score.'),
      scoredByJudges: count('Judges with usable scores.'),
      totalJudges: count('Judges that were to score this response.'),
      weighted: flag('What was applied.'),
      evaluationMode: { type: 'string', enum: ['standard', 'pointwise'], description: 'What was applied.' },
    },
    {
      role: text('As sent.', { enum: ROLE_NAMES }),
      roleSpecificCriteria: { ...criteria, description: 'With a role: its criteria again.' },
      individualScores: list(ref('JudgeScores'), 'Judges with usable scores, in the order of `judge_models`.'),
      overallScoreVariance: amount('With two usable judges or more.'),
      divergencePercent: amount('Likewise.'),
      notScored: {
        type: 'boolean',
        const: true,
        description: 'No judge gave a usable score: all scores are placeholders.',
      },
    },
  ),
  JudgeScores: shape({
    judgeId: text('As sent.'),
    judgeName: text('As sent.'),
    criteria,
    overallScore,
    reasoning: text('In the words of the judge, at most 4,000 characters.'),
  }),
  UsageList: shape({
    object: always('list'),
    data: list(ref('UsageRecord'), 'One, or none when nothing was used.', { maxItems: 1 }),
    has_more: { type: 'boolean', const: false },
  }),
  UsageRecord: shape({
    aggregation_timestamp: count('Now, Unix seconds.'),
    n_requests: count('Runs and evaluations that were admitted.'),
    n_context_tokens_total: count('Prompt tokens.'),
    n_generated_tokens_total: count('Completion tokens.'),
    total_tokens: count('The sum of both.'),
    total_cost: amount('In US dollars.'),
    period: shape({ start: text('ISO 8601, UTC.'), end: text('ISO 8601, UTC.') }, {}, 'The range asked for.'),
    months: list(text('`YYYY-MM`.'), 'The UTC months that were added up, each of them whole, oldest first.'),
    breakdown: list(
      shape(
        {
          model_id: text('`other` for all models after the first 200 of a month.'),
          model_name: text('The display name.'),
          n_requests: count('Calls to it that consumed something.'),
          n_context_tokens: count('Prompt tokens.'),
          n_generated_tokens: count('Completion tokens.'),
          cost: amount('In US dollars.'),
        },
        { priced: { type: 'boolean', const: false, description: 'No price was known for its calls.' } },
      ),
      'By model.',
    ),
    apiKeyBreakdown: list(
      shape({
        keyName: text('The name of the key.'),
        requests: count('Requests with it.'),
        totalTokens: count('Prompt and completion tokens.'),
        cost: amount('In US dollars.'),
      }),
      'By key.',
    ),
  }),
  ModelList: shape({ object: always('list'), data: list(ref('Model'), 'What the key may use.') }),
  Model: shape(
    {
      id: text('What a request names.'),
      object: always('model'),
      created: count('The same for all.'),
      owned_by: text('The provider, the name of an endpoint of the settings, or `ensemble` for virtual ids.'),
      name: text('The display name.'),
    },
    {
      context_length: count('The context window in tokens, when known.'),
      vision: flag('Whether the model can take images; not on virtual ids.'),
      tools: flag('Whether the model itself can call tools; not on virtual ids.'),
      web_search: flag('Whether it searches the web where that is asked for; not on virtual ids.'),
      priced: flag('Whether a price is known; not on virtual ids.'),
      pricing: shape(
        { input_usd_per_million: perMillion('prompts'), output_usd_per_million: perMillion('replies') },
        {
          cached_input_usd_per_million: perMillion('prompts that are cached'),
          cache_write_input_usd_per_million: perMillion('prompts that are written into a cache'),
        },
      ),
    },
  ),
  Health: shape({ status: always('ok') }),
  Home: mapOf({ type: 'string' }, 'Where to find what; each value but `name` is a path.'),
  Error: shape({
    error: shape({
      message: text('What is wrong, and what to do.'),
      type: text('The kind of error.', {
        enum: [
          'invalid_request_error',
          'permission_error',
          'recent_login_required',
          'app_check_required',
          'rate_limit_error',
          'api_error',
        ],
      }),
    }),
  }),
};
