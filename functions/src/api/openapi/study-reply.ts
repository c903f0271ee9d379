import type { JsonSchema } from '../schema-notes';
import { amount, count, list, orNull, shape, text } from './shapes';

const number = (description: string): JsonSchema => ({ type: 'number', description });
const lines = (description: string): JsonSchema => list({ type: 'string' }, description);

const INTERVAL = {
  mean: number('The mean over tasks.'),
  low: number('Where its interval of 95 % begins.'),
  high: number('Where it ends.'),
};

const VERDICT = orNull(
  text('Of all strategies together; null for what is none.', {
    enum: ['wins', 'loses', 'no difference shown', null],
  }),
);

function difference(description: string): JsonSchema {
  return orNull(shape({ ...INTERVAL, verdict: VERDICT }, {}, description));
}

const OPEN_ARM = shape({
  arm: text('What answered.'),
  comparisons: count('Readings of judges, in both orders.'),
  preferred: shape(
    { ...INTERVAL, verdict: VERDICT },
    {},
    'How often it was preferred to the best single model, a tie being half.',
  ),
  preferredAtEqualLength: shape({ ...INTERVAL, verdict: VERDICT }, {}, 'The same, as it would be at equal length.'),
  flips: orNull(amount('The share of comparisons whose verdict changed with the order.')),
  lengthRatio: orNull(amount('The mean length of its answers, by that of the best single model’s.')),
  usdPerAnswer: orNull(amount('US dollars for an answer; null where a price is not known.')),
  callsPerAnswer: amount('Calls of models for an answer.'),
});

const ARM = shape({
  arm: text('What answered.'),
  kind: text('A single model, samples of one that cost as much, or a strategy.', {
    enum: ['single', 'equal spend', 'strategy'],
  }),
  answers: count('Answers, over all tasks and repeats.'),
  correct: orNull(shape(INTERVAL, {}, 'The share of tasks answered right; null where nobody can say.')),
  overBestSingle: difference('By how much more often it was right than the best single model, as a share.'),
  overEqualSpend: difference('The same beside as many samples of the best single model as it cost.'),
  form: amount('The share of answers in the form that was asked for.'),
  falseFactsPerAnswer: amount('False statements in an answer.'),
  usdPerCorrect: orNull(amount('US dollars for a right answer; null where a price is not known, or none was right.')),
  firstTextMs: shape({
    p50: orNull(amount('Milliseconds to the first text, the median.')),
    p95: orNull(amount('The 95th percentile.')),
  }),
  callsPerAnswer: amount('Calls of models for an answer.'),
});

const ADVICE = shape(
  {
    arm: text('What is advised.'),
    reasons: lines('Why.'),
    settings: { type: 'object', additionalProperties: true, description: 'What to send for it.' },
  },
  {},
  'The cheapest of those that are not significantly worse than the best; null where none can be told.',
);

/** What the route of the last study answers: its summary, or null. */
export const STUDY_REPLY = shape({
  study: orNull(
    shape(
      {
        finishedAt: text('When it ended.', { format: 'date-time' }),
        about: lines('What was compared, line by line.'),
        warnings: lines('What must be known before the figures.'),
        findings: lines('What the figures say, in sentences.'),
        arms: list(ARM, 'What was compared with what.'),
        openArms: list(OPEN_ARM, 'What judges preferred of open questions.'),
        advice: orNull(ADVICE),
      },
      {},
      'Null: none was made.',
    ),
  ),
});
