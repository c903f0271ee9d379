/*
 * The kinds of reply to a run: in one piece, as a stream of chunks, or its plan in the place of either. Imports `runs/`,
 * the result types of `ensemble/`, and `http/`; knows no endpoint's schema.
 */

import type { RunEstimate } from '../../ensemble/estimate/estimate-run';
import type { EnsembleResult } from '../../ensemble/open-ensemble';
import { Fault, type Refusal, refuse } from '../../errors';
import { STREAM_END } from '../../http/event-stream';
import type { JsonReply, StreamReply } from '../../http/reply';
import { anySignal } from '../../lib/any-signal';
import type { ToolCallPiece } from '../../models/tools';
import type { Admitted } from '../../runs/admit';
import type { KeptRuns } from '../../runs/kept-runs';
import type { LiveRun } from '../../runs/live-run';
import { type Finished, run } from '../../runs/run';
import type { TracedEvent } from '../../runs/trace-event';
import type { RunFields } from '../ensemble-options/run-fields';
import { keptRequest } from '../shared/kept-request';
import { chunks, type ReplyHead } from './chunks';
import { planSentence } from './plan';

/** Begins the trace of a run that is about to be played; `tell` gets each event as it may be shown. */
type BeginTrace = (admitted: Admitted<unknown>, tell: (event: TracedEvent) => void) => LiveRun;

/** Makes the body of a reply in one piece of a run's result and the text of its answer. */
type BodyOf<Result, Body extends object> = (finished: Finished<Result>, content: string) => Body;

/** Nothing was consumed. */
const NOTHING = {
  promptTokens: 0,
  completionTokens: 0,
  cachedPromptTokens: 0,
  reasoningTokens: 0,
  costNanoUsd: 0,
  durationMs: 0,
  calls: 0,
  unpricedModels: [],
};

/** Replies to a request for a run, or for its plan, in the way that it asks for. */
export function runReply<Body extends object>(
  keptRuns: KeptRuns,
  opened: Admitted<EnsembleResult> | { readonly plan: RunEstimate },
  asked: {
    readonly fields: RunFields & { readonly sent: object };
    readonly head: ReplyHead;
    readonly bodyOf: BodyOf<EnsembleResult, Body>;
  },
): StreamReply | JsonReply<Body> | Promise<JsonReply<Body> | Refusal> {
  const { fields, head, bodyOf } = asked;
  if ('plan' in opened) {
    const { plan } = opened;
    if (fields.stream) return streamPlan(plan, head);
    return { body: bodyOf({ result: { degraded: [], plan }, totals: NOTHING }, planSentence(plan)) };
  }
  const { messages, store, sent, ai_ensemble: options } = fields;
  const beginTrace: BeginTrace | undefined = options.includeTrace
    ? (admitted, tell) =>
        keptRuns.begin(admitted, { prompt: messages.message, request: keptRequest(sent), isStored: store }, tell)
    : undefined;
  return fields.stream ? streamReply(opened, head, beginTrace) : wholeReply(opened, bodyOf, beginTrace);
}

/** Plays an admitted run to its end and replies in one piece, with its trace where that is asked for. */
export async function wholeReply<Result, Body extends object>(
  admitted: Admitted<Result>,
  bodyOf: BodyOf<Result, Body>,
  beginTrace?: BeginTrace,
): Promise<JsonReply<Body> | Refusal> {
  let content = '';
  const sink = {
    live: false,
    text: (piece: string) => {
      content += piece;
      return undefined;
    },
    status: () => undefined,
  };
  const trace: TracedEvent[] = [];
  const live = beginTrace?.(admitted, (event) => trace.push(event));
  const ended = await run(playedAs(admitted, live), sink, live?.observe);
  await live?.ended;
  const { headers } = admitted;
  if (!(ended instanceof Fault)) return { body: { ...bodyOf(ended, content), ...(live && { trace }) }, headers };
  // An SDK that asked again would begin all model calls again.
  return refuse(ended.code, ended.publicText, { ...headers, ...ended.headers, 'x-should-retry': 'false' });
}

/**
 * Replies with a stream of chunks: text and progress as they come, the rest with the ledger settled, and `[DONE]`. A
 * failure becomes an error event and no `[DONE]`: a stream never just ends.
 */
function streamReply(
  admitted: Admitted<EnsembleResult>,
  head: ReplyHead,
  beginTrace: BeginTrace | undefined,
): StreamReply {
  const { opening, text, toolCall, status, trace, candidates, usage, final } = chunks(head);
  return {
    headers: admitted.headers,
    play: async (events) => {
      events.write(opening());
      const live = beginTrace?.(admitted, (event) => events.write(trace(event)));
      const sink = {
        live: true,
        text: (piece: string) => {
          events.write(text(piece));
          return events.backPressure();
        },
        toolCall: (piece: ToolCallPiece) => {
          events.write(toolCall(piece));
          return events.backPressure();
        },
        status: (message: string) => events.repeatWhenSilent(status(message)),
        traceTaken: () => events.backPressure(),
      };
      const ended = await run(playedAs(admitted, live), sink, live?.observe);
      await live?.ended;
      if (ended instanceof Fault) return events.write({ error: ended.publicText });
      const { result, totals } = ended;
      if (result.candidates) events.write(candidates(result.candidates, result.agreementByPlace));
      if (totals.promptTokens + totals.completionTokens > 0) events.write(usage(totals));
      events.write(final(result));
      events.write(STREAM_END);
    },
  };
}

function streamPlan(plan: RunEstimate, head: ReplyHead): StreamReply {
  const { opening, text, final } = chunks(head);
  return {
    headers: {},
    play: async (events) => {
      events.write(opening());
      events.write(text(planSentence(plan)));
      events.write(final({ degraded: [], plan }));
      events.write(STREAM_END);
    },
  };
}

/** The run as it is to be played: it ends when its client leaves, and when its user stops it elsewhere. */
function playedAs<Result>(admitted: Admitted<Result>, live: LiveRun | undefined): Admitted<Result> {
  if (!live) return admitted;
  const { request } = admitted;
  return { ...admitted, request: { ...request, clientGone: anySignal(request.clientGone, live.stopped) } };
}
