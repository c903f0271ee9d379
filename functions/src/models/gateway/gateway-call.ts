import type { InTurn } from '../../lib/turns';
import type { RequestTrace } from '../../telemetry/request-trace';
import type { CallPlace } from '../../telemetry/run-spans';
import type { ModelRow } from '../catalog';
import type { FinishReason, ModelQuestion, OutputSchema, ReportedUsage, RequestPart, Sampling } from '../model';
import { ModelFault, type ModelFaultKind } from '../model-fault';
import type { Reasoning } from '../reasoning';
import type { ToolCall, ToolCallPiece } from '../tools';
import type { WebSource } from '../web-search';
import type { RetryBudget } from './retry-budget';
import type { RunOutput } from './run-output';

/** The one way to every model. */
export interface ModelGateway {
  call(call: GatewayCall): Promise<CallResult>;
}

/** One question to one model. */
export interface GatewayCall extends ModelQuestion {
  readonly scope: RequestScope;
  readonly model: ModelRow;
  /** Its place in the run, for whoever traces it. */
  readonly place?: CallPlace;
  readonly sampling?: Sampling;
  /** For all attempts together. */
  readonly budgetMs: number;
  /** Opens the ledger entry of attempt 1, 2, …, sent with this schema; the model is called only once it has resolved. */
  openAttempt(attempt: number, outputSchema?: OutputSchema): AttemptEntry | Promise<AttemptEntry>;
  /** True if it may be made again after a fault, now that the first attempt is paid for. Default: it may. */
  readonly mayAskAgain?: () => boolean;
  /** False where its caller would rather be told of a failure than wait so long for another attempt. Default: it waits. */
  readonly mayWait?: ((waitMs: number) => boolean) | undefined;
  /** Told whenever the running attempt's meter has moved. */
  onProgress?(): void;
  /** Told when it begins to wait for its turn at a provider that serves others, and when that is over. */
  onWait?(isWaiting: boolean): void;
  /** Set for a streamed call: pieces of text, after which the model is not asked again; in a form only where that is enforced. */
  onText?(delta: string): Promise<void> | undefined;
  /** Set for a streamed call: pieces of tool calls as they come, under the same rule but for the schema. */
  onToolCall?(piece: ToolCallPiece): Promise<void> | undefined;
  /** True if what the model thinks is told, too. */
  readonly tellsReasoning?: boolean;
  /** Set for a streamed call that tells it: its texts as they come, which the result is without; another attempt adds its own. */
  onReasoning?(piece: Reasoning): Promise<void> | undefined;
  /** Told all that happens to the call; unlike who is passed its text, it changes nothing about when it is made again. */
  readonly heard?: CallHearing;
}

/** Hears a call attempt by attempt. */
export interface CallHearing {
  /** The model is called. */
  started(attempt: number): void;
  /** It has written this. A promise asks it to wait, as a reader of its text may. */
  text(piece: string): Promise<void> | undefined;
  /** The attempt that had started is over, and its ledger entry closed. */
  ended(result: CallResult, durationMs: number): void;
  /** There will be another attempt. */
  again(): void;
}

/** The request a call is made for. */
export interface RequestScope {
  /** A request counts once in what is known of a model. */
  readonly id: string;
  /** Users take turns at a provider that is busy, and none can close a model to others. */
  readonly userId: string;
  readonly retries: RetryBudget;
  /** Texts that its models have written and it still holds. */
  readonly output: RunOutput;
  /** Its heavy work takes turns with that of others. */
  readonly inTurn: InTurn;
  readonly trace: Pick<RequestTrace, 'callStarted'>;
}

/** One attempt's ledger entry, as the gateway drives it. */
export interface AttemptEntry {
  readonly meter: CallMeter;
  /** The attempt is over; returns its cost in nano-USD, where it is known. */
  close(fault: ModelFaultKind | undefined, durationMs: number): number | undefined;
  /** The attempt is not made after all. */
  cancel(): void;
}

/** Output of a running attempt so far; the gateway fills it in, the ledger reads it. */
export interface CallMeter {
  /** Length of its text. The text itself is not kept here: it is the caller's. */
  characters: number;
  /** Estimated tokens of the text, and of what the model thinks aloud, with a fraction. */
  tokens: number;
  /** True if any of it is more than blank, or a tool was called. */
  spoke: boolean;
  usage: ReportedUsage | undefined;
  /** Searches of the web, as its provider bills it. */
  webSearches?: number;
  /** Value of `tokens` when usage was last reported. */
  reportedAt?: number;
}

/** The meter of an attempt that has not begun. */
export function newMeter(): CallMeter {
  return { characters: 0, tokens: 0, spoke: false, usage: undefined };
}

/** Result of a call. Failures are values: one model failing is an expected event. */
export type CallResult = AnsweredCall | FailedCall;

/** A part of a call that a model may refuse. */
export type RefusedPart = RequestPart | 'outputSchema' | 'webSearch';

/** A call with an answer. */
export interface AnsweredCall {
  readonly ok: true;
  readonly text: string;
  /** The tools it calls, where it calls any; there need not be a text then. */
  readonly toolCalls?: readonly ToolCall[];
  /** Its reasoning, where that is told: it may want it back. */
  readonly reasoning?: Reasoning;
  readonly finishReason: FinishReason;
  /** Pages it found on the web, cited ones first; absent without any. */
  readonly sources?: readonly WebSource[];
  /** Parts that the model had refused, and has answered without; absent where there are none. */
  readonly refused?: readonly RefusedPart[];
}

/** A call without an answer. */
export interface FailedCall {
  readonly ok: false;
  readonly fault: ModelFaultKind;
  /** Error that was thrown, for the log. */
  readonly cause: unknown;
  /** True if text was passed on before it failed. */
  readonly streamed: boolean;
  /** Set where asking the same again would only be paid for: nothing tells that it would end otherwise. */
  readonly final?: boolean;
  /** Set where nothing of it was begun. */
  readonly isUnpaid?: boolean;
  /** Wait that the provider asked for, where it said so. */
  readonly retryAfterSeconds?: number;
  /** Tokens of an output limit that was used up, where they are known. */
  readonly outputTokens?: number;
  /** Tokens that a model's window holds which found its prompt too long, where they are known. */
  readonly contextTokens?: number;
}

/** A call that failed before any of its text was passed on. */
export function failedCall(fault: ModelFaultKind, cause?: unknown): FailedCall {
  const retryAfterSeconds = cause instanceof ModelFault ? cause.retryAfterSeconds : undefined;
  return { ok: false, fault, cause, streamed: false, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
}
