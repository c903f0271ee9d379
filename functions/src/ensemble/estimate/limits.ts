import type { Question } from '../waves/question';

/** Limits that a caller sets for the cost and time of a run. */
export interface RunLimits {
  readonly maxCostNanoUsd?: number | undefined;
  readonly maxMs?: number | undefined;
}

/** A call whose prompt is written. */
export type WrittenCall = Pick<Question, 'callId' | 'seat' | 'purpose' | 'prompt' | 'outputSchema'>;

/** Place of the answer: after the calls that are to begin, beside them, or before them: then nothing else is to come. */
export type AnswerPlace = 'after' | 'beside' | 'before';

/** Budget of a run (`RunBudget`, which says more). Refusals are words for people; undefined: the calls may begin. */
export interface Budget {
  readonly refusal: string | undefined;
  roundFlaw(round: number): string | undefined;
  admit(calls: readonly WrittenCall[], answerPlace?: AnswerPlace): string | undefined;
  outputTokensMax(callId: string): number | undefined;
  mayAskAgain(): boolean;
  ended(callId: string, text?: string): void;
  waveMs(): number;
}
