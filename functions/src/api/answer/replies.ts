/* Replies of a run that is yet to be played: in one piece, as a stream of chunks, or as one that is held for its beginning. */
import type { EnsembleResult } from '../../ensemble/open-ensemble';
import { PASS_THROUGH } from '../../ensemble/strategies/strategies';
import { Fault, type Refusal, refuse } from '../../errors';
import { type EventWriter, STREAM_END } from '../../http/event-stream';
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
import { chunks, type ReplyHead } from './chunks';

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

/** Plays a run to its end and replies in one piece, with its trace where that is asked for. */
export async function wholeReply<Result, Body extends object>(
  { headers, isTraced, play }: Playable<Result>,
  bodyOf: (finished: Finished<Result>, content: string) => Body,
): Promise<JsonReply<Body> | Refusal> {
  let content = '';
  const text = (piece: string) => {
    content += piece;
    return undefined;
  };
  const trace: TracedEvent[] = [];
  const ended = await play({ live: false, text, status: () => undefined }, (event) => trace.push(event));
  if (!(ended instanceof Fault)) return { body: { ...bodyOf(ended, content), ...(isTraced && { trace }) }, headers };
  return refusalOf(ended, headers);
}

/** The reply to a run that failed before anything of it was sent: an SDK that asked again would begin all calls again. */
function refusalOf({ code, publicText, headers }: Fault, ofRun: Playable<unknown>['headers']): Refusal {
  return refuse(code, publicText, { ...ofRun, 'x-should-retry': 'false', ...headers });
}

export function streamReply(played: Streamed, head: ReplyHead): StreamReply {
  return {
    headers: played.headers,
    play: async (events) => {
      await playStream(played, head, events);
    },
  };
}

/** The same stream once its model has said anything; a failure before, within two seconds, has a status of its own. */
export async function heldReply(played: Streamed, head: ReplyHead, clock: Clock): Promise<StreamReply | Refusal> {
  const { headers } = played;
  const held = new HeldEvents(clock);
  const ended = playStream(played, head, held);
  const fault = await Promise.race([held.begun, ended]);
  held.begin();
  if (fault) return refusalOf(fault, headers);
  return {
    headers,
    play: async (events) => {
      held.passTo(events);
      await ended;
    },
  };
}

/**
 * Plays a run as chunks: text and progress as they come, the rest with the ledger settled, and `[DONE]`. A failure becomes an
 * error event and no `[DONE]`: a stream never just ends.
 */
async function playStream(
  { play, strategy }: Streamed,
  head: ReplyHead,
  events: EventWriter,
): Promise<Fault | undefined> {
  const made = chunks(head);
  const { opening, trace, candidates, usage, final } = made;
  events.write(opening());
  // In a panel another model would step in, without what the arbiter's provider has in its cache.
  const mayWait = events instanceof HeldEvents && strategy === PASS_THROUGH && { mayWait: events.mayWait };
  const ended = await play({ ...sinkOf(events, made), ...mayWait }, (event) => events.write(trace(event)));
  if (ended instanceof Fault) {
    events.write({ error: ended.publicText });
    return ended;
  }
  const { result, totals } = ended;
  if (result.candidates) events.write(candidates(result.candidates, result.agreementByPlace));
  if (totals.promptTokens + totals.completionTokens > 0) events.write(usage(totals));
  events.write(final(result));
  events.write(STREAM_END);
  return undefined;
}

/** Writes what a run says as it comes; what its model says begins a stream that is held. */
function sinkOf(events: EventWriter, { text, toolCall, reasoning, status }: ReturnType<typeof chunks>): EventSink {
  const pass = (event: object | string) => {
    events.write(event);
    if (events instanceof HeldEvents) events.begin();
    return events.backPressure();
  };
  return {
    live: true,
    text: (piece) => pass(text(piece)),
    toolCall: (piece) => pass(toolCall(piece)),
    reasoning: (piece) => pass(reasoning(piece)),
    status: (message) => events.repeatWhenSilent(status(message)),
    traceTaken: () => events.backPressure(),
  };
}
