import type { CallPurpose, ModelPrompt, OutputSchema } from '../../models/model';
import type { Seat } from '../panel/panel';

/** Limits that a caller sets for the cost and time of a run. */
export interface RunLimits {
  readonly maxCostNanoUsd?: number | undefined;
  readonly maxMs?: number | undefined;
}

/** A call whose prompt is written. */
export interface WrittenCall {
  readonly callId: string;
  readonly seat: Seat;
  readonly purpose: CallPurpose;
  readonly prompt: ModelPrompt;
  readonly outputSchema?: OutputSchema;
}

/** Place of the answer: after the calls that are to begin, beside them, or before them: then nothing else is to come. */
export type AnswerPlace = 'after' | 'beside' | 'before';

/** Budget of a run. Refusals are words for people; undefined: the calls may begin. */
export interface Budget {
  /** Refusal of the first wave that was not let begin: the run goes straight to its answer. */
  readonly refusal: string | undefined;
  /** Refusal of the waves that the run cannot do without. */
  startFlaw(): string | undefined;
  /** Refusal of a round, with all that comes after it. */
  roundFlaw(round: number): string | undefined;
  /** Lets calls begin side by side, unless they are refused. Those it has let begin are not looked at again. */
  admit(calls: readonly WrittenCall[], answerPlace?: AnswerPlace): string | undefined;
  /** Most tokens that a call which was let begin may write; undefined: as many as it likes. */
  outputTokensMax(callId: string): number | undefined;
  /** True where a call under way may be made once more, what it has consumed so far notwithstanding. */
  mayAskAgain(): boolean;
  /** Ends a call, with its text if it has one. */
  ended(call: Pick<WrittenCall, 'callId'>, text?: string): void;
  /** Longest time of a wave that starts now. */
  waveMs(): number;
}
