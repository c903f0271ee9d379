import type { AnnouncedCall, RequestLedger } from '../ledger/request-ledger';
import type { Clock } from '../lib/clock';
import type { Log } from '../lib/log';
import type { ModelGateway, RequestScope } from '../models/gateway/gateway-call';
import type { LikelyCall } from '../models/prices';
import type { Reasoning } from '../models/reasoning';
import type { ToolCallPiece } from '../models/tools';
import type { RequestFacts } from '../telemetry/request-trace';
import type { RunObserver } from './run-observer';

/** Destination of text and progress while a run is under way. Text is pushed, not yielded: promises are dear (ADR 2). */
export interface EventSink {
  /** Set where text reaches the reader as it comes. If not, an answer that broke off can still be tried again. */
  readonly live: boolean;
  /** Takes the next piece of the answer. A promise asks the sender to wait until the reader has caught up. */
  text(piece: string): Promise<void> | undefined;
  /** Takes the next piece of a tool call, where a live reader is to have them. */
  toolCall?(piece: ToolCallPiece): Promise<void> | undefined;
  /** Takes the next piece of what a model thinks that answers alone or calls tools, where a live reader is to have it. */
  reasoning?(piece: Reasoning): Promise<void> | undefined;
  /** Takes a progress message for people. */
  status(message: string): void;
  /** False while a reader would rather be told of a failure than wait so long before a model is asked again. */
  mayWait?(waitMs: number): boolean;
  /** A promise while the reader of the trace is slow; without it the observer keeps all until the run is over. */
  traceTaken?(): Promise<void> | undefined;
}

/** Context of a run from admission to its end. It holds no store, no SDK and no HTTP. */
export interface RunContext {
  /** The request id. */
  readonly id: string;
  readonly startedAtMs: number;
  readonly gateway: ModelGateway;
  readonly scope: RequestScope;
  readonly ledger: RequestLedger;
  readonly clock: Clock;
  readonly log: Log;
  readonly sink: EventSink;
  /** Set where somebody follows the run; without one nothing is computed for it. */
  readonly observer?: RunObserver;
  /** Aborted when the client leaves, at the time limit, on failure, and when the process ends (reason: its `Fault`). */
  readonly signal: AbortSignal;
}

/** Something that can be run once: an ensemble or an evaluation, prepared and not begun. */
export interface Opened<Result> {
  /** The calls it starts with, so that the reservation can list them before they are made (write-ahead). */
  readonly firstWave: readonly AnnouncedCall[];
  /** All calls that it plans, for budgets: later ones as if they read what the first do. Default: the first wave. */
  likelyCalls?(atMs: number): readonly LikelyCall[];
  /** For the log. */
  readonly about: Pick<RequestFacts, 'model' | 'strategy'>;
  /** The memory it will take, as estimated by `heldBytes`. */
  readonly heldBytes: number;
  /** The ids of all models it may call. */
  readonly modelIds: ReadonlySet<string>;
  /** Its signal is aborted this long after the request's start, milliseconds. */
  readonly timeLimitMs: number;
  /** Plays it to the end. May reject with a `Fault` whose text is for the client; any other error is internal. */
  play(context: RunContext): Promise<Result>;
}

/** A call's sockets, timers and buffers. */
const CALL_BYTES = 96 * 1024;
/** A text, of two bytes a character where one of them is not Latin, and its JSON while it is being sent. */
const BYTES_A_CHARACTER = 4;

/** Bytes that a run with so many calls side by side holds; what models write is counted apart. */
export function heldBytes(callsAtOnce: number, characters: number): number {
  return callsAtOnce * CALL_BYTES + characters * BYTES_A_CHARACTER;
}

/** Waits for calls side by side; when one rejects, the others are stopped and waited for, so that none goes on unrecorded. */
export async function allOrStop<T>(calls: readonly Promise<T>[], stop: () => void): Promise<T[]> {
  try {
    return await Promise.all(calls);
  } catch (error) {
    stop();
    await Promise.allSettled(calls);
    throw error;
  }
}
