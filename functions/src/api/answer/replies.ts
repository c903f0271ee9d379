/*
 * A request for a run, answered: in one piece, as a stream of chunks, or with its plan in the place of either. Imports
 * `runs/`, the result types of `ensemble/`, and `http/`; knows no endpoint's schema.
 */

import { refuseModels } from '../../access/key-limits';
import { leastCostNanoUsd } from '../../ensemble/estimate/estimate';
import { estimateRun, type RunEstimate } from '../../ensemble/estimate/estimate-run';
import { type EnsembleResult, modelIdsOf, openEnsemble } from '../../ensemble/open-ensemble';
import type { EnsembleRequest } from '../../ensemble/run';
import { PASS_THROUGH } from '../../ensemble/strategies/strategies';
import { Fault, isRefusal, type Refusal, refuse } from '../../errors';
import { STREAM_END } from '../../http/event-stream';
import type { JsonReply, StreamReply } from '../../http/reply';
import type { ApiRequest } from '../../http/route';
import { anySignal } from '../../lib/any-signal';
import { formatUsd } from '../../lib/usd';
import type { ToolCallPiece } from '../../models/tools';
import { type Admitted, admit } from '../../runs/admit';
import type { LiveRun } from '../../runs/live-run';
import { type Finished, run } from '../../runs/run';
import type { EventSink } from '../../runs/run-context';
import type { TracedEvent } from '../../runs/trace-event';
import type { EndpointDeps } from '../deps';
import { ensembleRequest } from '../ensemble-options/ensemble-request';
import { IGNORED_MAX, ignoredIn, ignoredInstructions } from '../ensemble-options/ignored';
import type { RunFields } from '../ensemble-options/run-fields';
import { keptRequest } from '../shared/kept-request';
import { chunks, type ReplyHead } from './chunks';
import { planSentence } from './plan';

/** Begins the trace of a run that is about to be played; `tell` gets each event as it may be shown. */
type BeginTrace = (tell: (event: TracedEvent) => void) => LiveRun;

/** An endpoint's way of replying. */
interface Answering<Body extends object> {
  readonly idPrefix: string;
  /** Fields that it acts on, and those besides where one model answers alone. */
  readonly heard: readonly string[];
  readonly heardAlone?: readonly string[];
  /** Body of a reply in one piece. */
  bodyOf(head: ReplyHead, finished: Finished<EnsembleResult>, content: string): Body;
}

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

/** Declares how an endpoint plays the run that a request asks for, or tells its plan, and replies as it asks for. */
export function answering<Body extends object>({ idPrefix, heard, heardAlone = [], bodyOf }: Answering<Body>) {
  return async (deps: EndpointDeps, request: ApiRequest, fields: RunFields & { readonly sent: object }) => {
    const opened = await openRun(deps, request, fields);
    if (isRefusal(opened)) return opened;
    const { strategy } = 'plan' in opened ? opened.plan : opened.opened.about;
    const ignored = ignoredIn(fields.sent, strategy === PASS_THROUGH ? [...heard, ...heardAlone] : heard);
    const head = {
      id: `${idPrefix}${request.startedAtMs}`,
      created: Math.floor(request.startedAtMs / 1000),
      model: fields.model,
      ignored: [...ignoredInstructions(fields), ...ignored].slice(0, IGNORED_MAX),
    };
    if ('plan' in opened) {
      const { plan } = opened;
      if (fields.stream) return streamPlan(plan, head);
      return { body: bodyOf(head, { result: { degraded: [], plan }, totals: NOTHING }, planSentence(plan)) };
    }
    const { messages, store, sent, ai_ensemble: options } = fields;
    const kept = { prompt: messages.message, request: keptRequest(sent), isStored: store };
    const begin: BeginTrace | undefined = options.includeTrace
      ? (tell) => deps.keptRuns.begin(opened, kept, tell)
      : undefined;
    if (fields.stream) return streamReply(opened, head, begin);
    return wholeReply(opened, (finished, content) => bodyOf(head, finished, content), begin);
  };
}

/**
 * The run that a request asks for, admitted; or its plan, where it asks for no more than that: nothing is called or
 * booked then, and like a read it takes no rate slot but one from its user's bucket.
 */
async function openRun(
  deps: EndpointDeps,
  request: ApiRequest,
  fields: RunFields,
): Promise<Admitted<EnsembleResult> | { readonly plan: RunEstimate } | Refusal> {
  const { id, startedAtMs: atMs, caller } = request;
  const ensemble = await ensembleRequest(deps, fields, id);
  if (isRefusal(ensemble)) return ensemble;
  const paces = deps.answerTimes.of(caller.userId);
  // Who is over the limit was not looked up, and can only be refused.
  if (!fields.ai_ensemble.dryRun || caller.denial) {
    return refuseCost(ensemble, atMs) ?? admit(deps, request, openEnsemble(ensemble, paces));
  }
  const barred = refuseModels(caller.limits, modelIdsOf(ensemble));
  if (barred) return barred;
  deps.guard.count(caller);
  return { plan: estimateRun(ensemble, { paces, atMs }) };
}

/** A 400 where not even a short answer of the arbiter alone fits what the run may cost. */
function refuseCost(request: EnsembleRequest, atMs: number): Refusal | undefined {
  const { maxCostNanoUsd } = request.limits ?? {};
  if (maxCostNanoUsd === undefined) return undefined;
  const least = leastCostNanoUsd(request, atMs);
  if (least <= maxCostNanoUsd) return undefined;
  const rule = `one answer alone costs at least ${formatUsd(least)}`;
  return refuse('invalid_request', `Invalid ai_ensemble.maxCostUsd: ${rule}`);
}

/** Plays an admitted run to its end and replies in one piece, with its trace where that is asked for. */
export async function wholeReply<Result, Body extends object>(
  admitted: Admitted<Result>,
  bodyOf: (finished: Finished<Result>, content: string) => Body,
  begin?: BeginTrace,
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
  const live = begin?.((event) => trace.push(event));
  const ended = await play(admitted, sink, live);
  const { headers } = admitted;
  if (!(ended instanceof Fault)) return { body: { ...bodyOf(ended, content), ...(live && { trace }) }, headers };
  // An SDK that asked again would begin all model calls again.
  return refuse(ended.code, ended.publicText, { ...headers, ...ended.headers, 'x-should-retry': 'false' });
}

/**
 * Replies with a stream of chunks: text and progress as they come, the rest with the ledger settled, and `[DONE]`. A
 * failure becomes an error event and no `[DONE]`: a stream never just ends.
 */
function streamReply(admitted: Admitted<EnsembleResult>, head: ReplyHead, begin: BeginTrace | undefined): StreamReply {
  const { opening, text, toolCall, status, trace, candidates, usage, final } = chunks(head);
  return {
    headers: admitted.headers,
    play: async (events) => {
      events.write(opening());
      const live = begin?.((event) => events.write(trace(event)));
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
      const ended = await play(admitted, sink, live);
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
  const written = [opening(), text(planSentence(plan)), final({ degraded: [], plan }), STREAM_END];
  return {
    headers: {},
    play: async (events) => {
      for (const event of written) events.write(event);
    },
  };
}

/** Plays the run to its end; one with a trace ends also when its user stops it elsewhere. */
async function play<Result>(admitted: Admitted<Result>, sink: EventSink, live: LiveRun | undefined) {
  const { request } = admitted;
  const played = live
    ? { ...admitted, request: { ...request, clientGone: anySignal(request.clientGone, live.stopped) } }
    : admitted;
  const ended = await run(played, sink, live?.observe);
  await live?.ended;
  return ended;
}
