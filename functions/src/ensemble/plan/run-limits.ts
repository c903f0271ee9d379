import type { CallPurpose, ModelPrompt, OutputSchema } from '../../models/model';
import type { Seat } from '../panel/panel';

/** What a caller allows a run to cost and to take, at most. */
export interface RunLimits {
  readonly maxCostNanoUsd?: number;
  readonly maxMs?: number;
}

/** Why a run that would come to this much goes beyond its limits, in words for people; undefined: it does not. */
export function limitsFlaw(
  { maxCostNanoUsd = Infinity, maxMs = Infinity }: RunLimits,
  { costNanoUsd, ms }: { readonly costNanoUsd: number; readonly ms: number },
): string | undefined {
  if (costNanoUsd > maxCostNanoUsd) return 'more could cost more than maxCostUsd';
  return ms > maxMs ? 'more is likely to take longer than maxSeconds' : undefined;
}

/** A call whose prompt is written. */
export interface WrittenCall {
  readonly callId: string;
  readonly seat: Seat;
  readonly purpose: CallPurpose;
  readonly prompt: ModelPrompt;
  readonly outputSchema?: OutputSchema;
}

/** Whether a run may go on before it writes its answer. Flaws are words for people; undefined: it may. */
export interface Allowance {
  /** Why a wave was not let begin, once one was not: the run goes straight to its answer. */
  readonly refusal: string | undefined;
  /** Why the waves that the run cannot do without are too much. */
  startFlaw(): string | undefined;
  /** Why a round must not be played. */
  roundFlaw(round: number): string | undefined;
  /** Lets calls begin side by side, or says why they must not. Those it has let begin are not looked at again. */
  admit(calls: readonly WrittenCall[]): string | undefined;
  /** The same for a call that is made beside the answer. */
  admitBeside(call: WrittenCall): string | undefined;
  /** The same for a call after which nothing else is to come. */
  admitLast(call: WrittenCall): string | undefined;
  /** No more tokens than this may be written by a call that was let begin; undefined: as many as it likes. */
  outputTokensMax(callId: string): number | undefined;
  /** Whether a call under way may be made once more, what it has consumed so far notwithstanding. */
  mayAskAgain(): boolean;
  /** A call is over, with this text if it has one. */
  ended(call: WrittenCall, text?: string): void;
  /** The longest a wave may take that starts now. */
  waveMs(): number;
}
