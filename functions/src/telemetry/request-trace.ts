/*
 * One request as operators follow it: log lines, OpenTelemetry spans and metrics. Imports `lib/`; must not hold a text of a
 * prompt, an answer or an upstream.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { type Attributes, type Context, context, propagation, type Span, SpanKind, trace } from '@opentelemetry/api';
import type { Clock } from '../lib/clock';
import { decoded, excerpt } from '../lib/foreign-text';
import type { Log } from '../lib/log';
import { type AskedModel, askedAttributes, type EndedCall, recordCall } from './call-metrics';
import { type CallPlace, type EndedRun, endSpan, type RunSpans, startRun, usageFields } from './run-spans';

/** One attempt at a model, as it begins; `attempt` counts from 1. */
export interface TracedCall extends AskedModel {
  readonly purpose: string;
  readonly attempt: number;
  readonly place?: CallPlace | undefined;
  /** True if its reply is to be JSON. */
  readonly inForm?: boolean;
}

export interface RequestFacts {
  readonly userId?: string;
  readonly keyId?: string;
  readonly endpoint?: string;
  /** The arbiter; of an evaluation its judges. */
  readonly model?: string;
  readonly strategy?: string;
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly costNanoUsd?: number;
  /** From the start of the request to the first piece of its answer. */
  readonly firstTextMs?: number;
}

/** One request as operators follow it: a log line and a span for it and for each of its model calls. */
export interface RequestTrace {
  /** Ids that join other lines to the request and to its trace. */
  readonly where: { readonly requestId: string; readonly traceId?: string };
  /** Notes that an attempt begins; the returned function notes its end, once. */
  callStarted(call: TracedCall): (ended: EndedCall) => void;
  /** Notes that a run begins whose strategy was noted; the returned function notes its end, once. */
  runStarted(): (ended: EndedRun) => void;
  note(facts: RequestFacts): void;
  requestEnded(ended: { readonly status: number; readonly durationMs: number }): void;
}

export interface TracedRequest {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Asked where nobody is known to have made the request: whether one that ended with this status gets a line. */
  readonly isLogged?: (status: number) => boolean;
}

/** Begins the trace of a request, as part of the one its caller named; without an SDK its spans are no-ops. */
export function traceRequest(
  log: Log,
  { requestId, method, path: target, headers, isLogged = () => true }: TracedRequest,
): RequestTrace {
  // A key in a path is known by its own characters, the token of a link to a run by what is before it.
  const path = excerpt(decoded(target) ?? target).replace(/(?<=\/shared\/).+/, '…');
  const tracer = trace.getTracer('ensemble-api');
  const parent = parentOf(headers);
  const span = tracer.startSpan(
    `${method} ${path}`,
    { kind: SpanKind.SERVER, attributes: { 'http.request.method': method, 'url.path': path } },
    parent,
  );
  const within = trace.setSpan(parent, span);
  const traceId = knownTraceId(span) ?? traceIdIn(headers);
  const where = { requestId, ...(traceId !== undefined && { traceId }) };
  let modelCalls = 0;
  let run: RunSpans | undefined;
  const noted: { -readonly [Fact in keyof RequestFacts]: RequestFacts[Fact] } = {};
  return {
    where,
    runStarted: () => {
      const { strategy = ALONE, model } = noted;
      // Nothing is computed for nobody; and one call is no workflow.
      if (!span.isRecording() || strategy === ALONE) return () => undefined;
      run = startRun(tracer, within, { strategy, model });
      return run.end;
    },
    callStarted: ({ provider, model: named, purpose, attempt, place, inForm }) => {
      const model = excerpt(named);
      modelCalls += 1;
      const asked = askedAttributes({ provider, model });
      const attributes: Attributes = { ...asked, 'ensemble.purpose': purpose, 'ensemble.attempt': attempt };
      const inWave = place && run?.begin(purpose, place.round);
      // Replies of all providers are read as they come.
      const form = { 'gen_ai.request.stream': true, 'gen_ai.output.type': inForm ? 'json' : undefined };
      const callSpan = tracer.startSpan(
        `chat ${model}`,
        { kind: SpanKind.CLIENT, attributes: { ...attributes, ...form, 'ensemble.seat': place?.seat } },
        inWave?.context ?? within,
      );
      return (ended) => {
        const { fault, cause, finishReason, promptTokens, completionTokens, durationMs } = ended;
        // What is undefined appears neither on the span nor in the line.
        const result: Attributes = {
          'gen_ai.response.finish_reasons': finishReason === undefined ? undefined : [finishReason],
          'gen_ai.usage.input_tokens': promptTokens,
          'gen_ai.usage.output_tokens': completionTokens,
          'error.type': fault,
        };
        const reasoning = { 'gen_ai.usage.reasoning.output_tokens': ended.reasoningTokens };
        endSpan(callSpan, { ...result, ...usageFields(ended), ...reasoning }, fault);
        inWave?.ended();
        recordCall(asked, { durationMs, promptTokens, completionTokens, fault });
        const write = fault === undefined ? log.info : log.warn;
        write('model call', { ...where, ...attributes, ...result, durationMs }, cause);
      };
    },
    note: (facts) => {
      const { model } = facts;
      Object.assign(noted, facts, model !== undefined && { model: excerpt(model) });
    },
    requestEnded: ({ status, durationMs }) => {
      endSpan(span, { 'http.response.status_code': status }, status >= 500 ? String(status) : undefined);
      // Of strangers, who could fill the log, not every one is told.
      if (noted.userId === undefined && !isLogged(status)) return;
      log.info('request', {
        ...where,
        method,
        path,
        status,
        durationMs,
        ...(modelCalls > 0 && { modelCalls }),
        ...noted,
      });
    },
  };
}

/** The strategy of one model that answers alone. */
const ALONE = 'pass_through';

/** An instrumented server has opened a span already; else the caller's headers say what this is part of. */
function parentOf(headers: IncomingHttpHeaders): Context {
  const active = context.active();
  return trace.getSpan(active) ? active : propagation.extract(active, headers);
}

function knownTraceId(span: Span): string | undefined {
  const { traceId } = span.spanContext();
  return /^0+$/.test(traceId) ? undefined : traceId;
}

/** Nothing but 32 hex digits is taken from a header. */
function traceIdIn(headers: IncomingHttpHeaders): string | undefined {
  const w3c = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(String(headers['traceparent'] ?? ''))?.[1];
  return w3c ?? /^([0-9a-f]{32})(?:\/|$)/.exec(String(headers['x-cloud-trace-context'] ?? ''))?.[1];
}

const LINES_A_MINUTE = 5;
const MINUTE_MS = 60_000;

/** Rate-limits log lines of unauthenticated requests: five of a status in a minute, and one for all others. */
export function createLineSample({ clock, log }: { readonly clock: Clock; readonly log: Log }) {
  const counts = new Map<number, number>();
  return (status: number): boolean => {
    const count = (counts.get(status) ?? 0) + 1;
    counts.set(status, count);
    if (count === 1) clock.after(MINUTE_MS, () => endMinute(status));
    return count <= LINES_A_MINUTE;
  };

  function endMinute(status: number): void {
    const requests = (counts.get(status) ?? 0) - LINES_A_MINUTE;
    counts.delete(status);
    if (requests > 0) log.info('requests not logged one by one', { status, requests });
  }
}
