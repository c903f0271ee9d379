import * as z from 'zod';
import { amount, count, oneOf } from '../../lib/reply-schemas';

const LINES_MAX = 100;
const ARMS_MAX = 100;
const TEXT_MAX = 2_000;

const line = z.string().max(TEXT_MAX);
const lines = (description: string) => z.array(line).max(LINES_MAX).describe(description);
const interval = {
  mean: z.number().describe('The mean over tasks.'),
  low: z.number().describe('Where its interval of 95 % begins.'),
  high: z.number().describe('Where it ends.'),
};
const compared = z.object({
  ...interval,
  verdict: oneOf(
    ['wins', 'loses', 'no difference shown'],
    'Of all strategies together; null for what is none.',
  ).nullable(),
});

const arm = z.object({
  arm: line.describe('What answered.'),
  kind: oneOf(
    ['single', 'equal spend', 'strategy', 'external'],
    'A single model, samples of one that cost as much, a strategy, or a model of another server.',
  ),
  answers: count('Answers, over all tasks and repeats.'),
  correct: z.object(interval).nullable().describe('The share of tasks answered right; null where that is unknown.'),
  overBestSingle: compared
    .nullable()
    .describe('By how much more often it was right than the best single model, as a share.'),
  overEqualSpend: compared.nullable().describe('The same beside as many samples of the best single model as it cost.'),
  form: amount('The share of answers in the form that was asked for; null where no arm was compared in it.').nullable(),
  falseFactsPerAnswer: amount('False statements in an answer; null likewise.').nullable(),
  keptFacts: z
    .object(interval)
    .optional()
    .describe('The share of facts known to one member alone that stand in the answer; absent where there were none.'),
  usdPerCorrect: amount(
    'US dollars for a right answer; null where a price is not known, or none was right.',
  ).nullable(),
  firstTextMs: z.object({
    p50: amount('Milliseconds to the first text, the median.').nullable(),
    p95: amount('The 95th percentile.').nullable(),
  }),
  callsPerAnswer: amount('Calls of models for an answer.'),
});

const openArm = z.object({
  arm: line.describe('What answered.'),
  comparisons: count('Readings of judges, in both orders.'),
  preferred: compared.describe('How often it was preferred to the best single model, a tie being half.'),
  preferredAtEqualLength: compared.describe('The same, as it would be at equal length.'),
  flips: amount('The share of comparisons whose verdict changed with the order.').nullable(),
  lengthRatio: amount('The mean length of its answers, by that of the best single model’s.').nullable(),
  usdPerAnswer: amount('US dollars for an answer; null where a price is not known.').nullable(),
  callsPerAnswer: amount('Calls of models for an answer.'),
});

/** Summary that `npm run quality` writes of a study (`docs/quality.md`): read from its file, and sent as it is. */
export const lastStudySchema = z.object({
  finishedAt: z.iso.datetime().describe('When it ended.'),
  about: lines('What was compared, line by line.'),
  warnings: lines('What must be known before the figures.'),
  findings: lines('What the figures say, in sentences.'),
  arms: z.array(arm).max(ARMS_MAX).describe('What was compared with what.'),
  openArms: z.array(openArm).max(ARMS_MAX).describe('What judges preferred of open questions.'),
  advice: z
    .object({
      arm: line.describe('What is advised.'),
      reasons: lines('Why.'),
      settings: z.record(z.string(), z.unknown()).describe('What to send for it.'),
    })
    .nullable()
    .describe('The cheapest of those that are not significantly worse than the best; null where none can be told.'),
});

export type LastStudy = z.infer<typeof lastStudySchema>;
