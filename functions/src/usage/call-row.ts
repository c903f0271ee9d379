import type { CallPurpose } from '../models/model';

/** How a model call ended; `open` until it has. */
export type CallOutcome = 'open' | 'ok' | 'failed' | 'aborted';

/**
 * One attempt at one model, as the ledger keeps it. Written before the call starts (`open`, prompt tokens estimated)
 * and overwritten with absolute values as more is known, so repeating a write changes nothing.
 */
export interface CallRow {
  /** Unique within the request, e.g. `r2.p1` or `answer#2` for a second attempt. */
  readonly callId: string;
  readonly modelId: string;
  readonly modelName: string;
  readonly purpose: CallPurpose;
  /** 1-based; 0 for the arbiter's calls. */
  readonly round: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedPromptTokens: number;
  /** Absent: none. */
  readonly cacheWritePromptTokens?: number;
  readonly reasoningTokens: number;
  /** At the prices in force when the request started; never priced again. */
  readonly costNanoUsd: number;
  /** The token counts are ours, not the provider's. */
  readonly estimated: boolean;
  /** False when no price was known for the model and the cost is therefore 0. */
  readonly priced: boolean;
  /** The user's own router key paid for it: no platform call. */
  readonly ownKey?: true;
  readonly outcome: CallOutcome;
  readonly durationMs: number;
}
