import type { CallPurpose, TokenUsage } from '../models/model';
import type { ModelFaultKind } from '../models/model-fault';
import type { CallCost } from '../models/prices';

/** One attempt at a model: written `open` before it starts, then overwritten with absolute values as more is known. */
export interface CallRow extends TokenUsage, CallCost {
  /** Unique within the request, e.g. `r2.p1` or `answer#2` for a second attempt. */
  readonly callId: string;
  readonly modelId: string;
  readonly modelName: string;
  readonly purpose: CallPurpose;
  /** 1-based; 0 for the arbiter's calls. */
  readonly round: number;
  /** The user's own router key paid for it: no platform call. */
  readonly ownKey?: true;
  readonly outcome: 'open' | 'ok' | 'failed' | 'aborted';
  readonly durationMs: number;
}

/** Faults of calls that we ended. */
const CUT_OFF: ReadonlySet<ModelFaultKind> = new Set(['timeout', 'aborted', 'output_too_long']);

/** End of an attempt. One that we cut off may be billed although nothing had come back yet; a failed one is not. */
export function outcomeOf(fault: ModelFaultKind | undefined): CallRow['outcome'] {
  if (fault === undefined) return 'ok';
  return CUT_OFF.has(fault) ? 'aborted' : 'failed';
}
