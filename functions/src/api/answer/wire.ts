import type { EnsembleResult } from '../../ensemble/open-ensemble';
import type { Fault } from '../../errors';
import type { EventWriter } from '../../http/event-stream';
import type { Reasoning } from '../../models/reasoning';
import type { ToolCallPiece } from '../../models/tools';
import type { Finished } from '../../runs/run';
import type { TracedEvent } from '../../runs/trace-event';

/** First fields of a reply, or of all events of a streamed one, and what the request said without effect. */
export interface ReplyHead {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  /** Model as the request named it. */
  readonly model: string;
  readonly ignored: readonly string[];
  /** Name of the strategy that the run plays. */
  readonly strategy: string;
  /** Body of the request, for protocols whose replies repeat parts of it. */
  readonly sent: object;
  /** Trace of a reply in one piece, where the request asks for it. */
  readonly trace?: readonly TracedEvent[] | undefined;
}

/** A protocol's form of replies: in one piece, and as a stream of events. */
export interface Wire<Body extends object = object> {
  readonly idPrefix: string;
  /** Set where each event of a stream has a name: the `type` of its JSON. */
  readonly named?: true;
  /** Body of a reply in one piece. */
  whole(head: ReplyHead, finished: Finished<EnsembleResult>, content: string): Body;
  /** Writer of one stream. */
  stream(head: ReplyHead, events: EventWriter): StreamWriter;
}

/** Writes one run to a stream, event by event. */
export interface StreamWriter {
  /** Begins the stream, before any model is called. */
  open(): void;
  text(piece: string): void;
  toolCall(piece: ToolCallPiece): void;
  reasoning(piece: Reasoning): void;
  /** Writes a progress message, again after each silence. */
  status(message: string): void;
  /** Writes an event of the trace, where the request asks for it. */
  trace(event: TracedEvent): void;
  /** Writes all that is known at the end, with the ledger settled. The mark of a whole stream is not its task. */
  end(finished: Finished<EnsembleResult>): void;
  /** Ends a stream whose run has failed. */
  fail(fault: Fault): void;
}
