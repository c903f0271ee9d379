/* Replies of a run that is yet to be played: in one piece, as a stream of events, or as one that is held for its beginning. */
import type { EnsembleResult } from '../../ensemble/open-ensemble';
import { PASS_THROUGH } from '../../ensemble/strategies/strategies';
import { Fault, type Refusal, refuse } from '../../errors';
import { type EventWriter, STREAM_END, type StreamHead } from '../../http/event-stream';
import { HeldEvents } from '../../http/held-events';
import type { JsonReply, StreamReply } from '../../http/reply';
import { anySignal } from '../../lib/any-signal';
import type { Clock } from '../../lib/clock';
import type { Admitted } from '../../runs/admit';
import type { LiveRun } from '../../runs/live-run';
import { type Finished, run } from '../../runs/run';
import type { EventSink } from '../../runs/run-context';
import type { TracedEvent } from '../../runs/trace-event';
import type { Play, Tell } from './answer-as-call';
import type { ReplyHead, StreamWriter, Wire } from './wire';

/** A run that was let in, or its plan. */
export interface Playable<Result> {
  readonly headers: Readonly<Record<string, string>>;
  /** True if the reply is to have its trace. */
  readonly isTraced: boolean;
  readonly play: Play<Result>;
}

/** A run whose reply is a stream. */
interface Streamed extends Playable<EnsembleResult> {
  readonly strategy: string;
  readonly wire: Wire;
}

/** An admitted run; one with a trace, which `begin` begins, ends also when its user stops it elsewhere. */
export function playable<Result>(admitted: Admitted<Result>, begin?: (tell?: Tell) => LiveRun): Playable<Result> {
  const { headers, request } = admitted;
  const play = async (sink: EventSink, tell?: Tell): Promise<Finished<Result> | Fault> => {
    const live = begin?.(tell);
    if (!live) return run(admitted, sink);
    const clientGone = anySignal(request.clientGone, live.stopped);
    const ended = await run({ ...admitted, request: { ...request, clientGone } }, sink, live.observe);
    await live.ended;
    return ended;
  };
  return { headers, isTraced: begin !== undefined, play };
}

/** Plays a run to its end and replies in one piece; its trace is told where that is asked for, its progress to `status`. */
export async function wholeReply<Result, Body extends object>(
  { headers, isTraced, play }: Playable<Result>,
  bodyOf: (finished: Finished<Result>, content: string, trace?: readonly TracedEvent[]) => Body,
  status: EventSink['status'] = () => undefined,
): Promise<JsonReply<Body> | Refusal> {
  let content = '';
  const text = (piece: string) => {
    content += piece;
    return undefined;
  };
  const trace: TracedEvent[] = [];
  const ended = await play({ live: false, text, status }, (event) => trace.push(event));
  if (!(ended instanceof Fault)) return { body: bodyOf(ended, content, isTraced ? trace : undefined), headers };
  return refusalOf(ended, headers);
}

/** The reply to a run that failed before anything of it was sent: an SDK that asked again would begin all calls again. */
function refusalOf({ code, publicText, headers }: Fault, ofRun: Playable<unknown>['headers']): Refusal {
  return refuse(code, publicText, { ...ofRun, 'x-should-retry': 'false', ...headers });
}

export function streamReply(played: Streamed, head: ReplyHead): StreamReply {
  return {
    ...headOf(played),
    play: async (events) => {
      await playStream(played, head, events);
    },
  };
}

/** The same stream once its model has said anything; a failure before, within two seconds, has a status of its own. */
export async function heldReply(played: Streamed, head: ReplyHead, clock: Clock): Promise<StreamReply | Refusal> {
  const held = new HeldEvents(clock);
  const ended = playStream(played, head, held);
  const fault = await Promise.race([held.begun, ended]);
  held.begin();
  if (fault) return refusalOf(fault, played.headers);
  return {
    ...headOf(played),
    play: async (events) => {
      held.passTo(events);
      await ended;
    },
  };
}

function headOf({ headers, wire: { named } }: Streamed): StreamHead {
  return { headers, ...(named && { named }) };
}

/**
 * Plays a run as events: text and progress as they come, the rest with the ledger settled, and the mark of a whole stream. A
 * failure becomes an event without that mark: a stream never just ends.
 */
async function playStream(
  { play, strategy, wire }: Streamed,
  head: ReplyHead,
  events: EventWriter,
): Promise<Fault | undefined> {
  const writer = wire.stream(head, events);
  writer.open();
  // In a panel another model would step in, without what the arbiter's provider has in its cache.
  const mayWait = events instanceof HeldEvents && strategy === PASS_THROUGH && { mayWait: events.mayWait };
  const ended = await play({ ...sinkOf(events, writer), ...mayWait }, (event) => writer.trace(event));
  if (ended instanceof Fault) {
    writer.fail(ended);
    return ended;
  }
  writer.end(ended);
  events.write(STREAM_END);
  return undefined;
}

/** Writes what a run says as it comes; what its model says begins a stream that is held. */
function sinkOf(events: EventWriter, writer: StreamWriter): EventSink {
  const passed = () => {
    if (events instanceof HeldEvents) events.begin();
    return events.backPressure();
  };
  return {
    live: true,
    text: (piece) => {
      writer.text(piece);
      return passed();
    },
    toolCall: (piece) => {
      writer.toolCall(piece);
      return passed();
    },
    reasoning: (piece) => {
      writer.reasoning(piece);
      return passed();
    },
    status: (message) => writer.status(message),
    traceTaken: () => events.backPressure(),
  };
}
