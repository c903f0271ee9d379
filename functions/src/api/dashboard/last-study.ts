import * as z from 'zod';

const LINES_MAX = 100;
const ARMS_MAX = 100;
const TEXT_MAX = 2_000;

const text = z.string().max(TEXT_MAX);
const lines = z.array(text).max(LINES_MAX);
const number = z.number().nullable();
const interval = z.object({ mean: z.number(), low: z.number(), high: z.number() });
const verdict = z.enum(['wins', 'loses', 'no difference shown']).nullable();
const difference = interval.extend({ verdict }).nullable();

/** The summary that `npm run quality` writes of a study (`docs/quality.md`). */
export const lastStudySchema = z.object({
  finishedAt: z.iso.datetime(),
  /** What was compared, line by line. */
  about: lines,
  /** What must be known before the figures. */
  warnings: lines,
  /** What the figures say, in sentences. */
  findings: lines,
  arms: z
    .array(
      z.object({
        arm: text,
        kind: z.enum(['single', 'equal spend', 'strategy']),
        answers: z.number(),
        /** Share of tasks answered right; null where nobody can say. */
        correct: interval.nullable(),
        /** Differences of shares, task by task. */
        overBestSingle: difference,
        overEqualSpend: difference,
        form: z.number(),
        falseFactsPerAnswer: z.number(),
        /** Null: a price is not known, or nothing was right. */
        usdPerCorrect: number,
        firstTextMs: z.object({ p50: number, p95: number }),
        callsPerAnswer: z.number(),
      }),
    )
    .max(ARMS_MAX),
  /** What judges preferred of open questions, beside the best single model; shares, a tie being half. */
  openArms: z
    .array(
      z.object({
        arm: text,
        comparisons: z.number(),
        preferred: interval.extend({ verdict }),
        preferredAtEqualLength: interval.extend({ verdict }),
        /** Null: not known. */
        flips: number,
        lengthRatio: number,
        usdPerAnswer: number,
        callsPerAnswer: z.number(),
      }),
    )
    .max(ARMS_MAX),
  /** The cheapest arm that is not significantly worse than the best, and what to send for it. */
  advice: z.object({ arm: text, reasons: lines, settings: z.record(z.string(), z.unknown()) }).nullable(),
});

/** The summary of a study. */
export type LastStudy = z.infer<typeof lastStudySchema>;
