/*
 * One request as operators follow it: log lines and OpenTelemetry spans. Imports `lib/`; must not hold a text of a
 * prompt, an answer or an upstream.
 */
import type { IncomingHttpHeaders } from 'node:http';
import {
  type Attributes,
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Log } from '../lib/log';

/** One attempt at a model, as it begins; `model` is the provider's own name for it, `attempt` counts from 1. */
export interface TracedCall {
  readonly provider: string;
  readonly model: string;
  readonly purpose: string;
  readonly attempt: number;
}

/** How it ended: `fault` is the gateway's name for what went wrong; tokens only as far as the provider reported them. */
export interface EndedCall {
  readonly fault?: string | undefined;
  readonly cause?: unknown;
  readonly finishReason?: string | undefined;
  readonly promptTokens?: number | undefined;
  readonly completionTokens?: number | undefined;
  readonly durationMs: number;
}

/** One request as operators follow it: a log line and a span for it and for each of its model calls. */
export interface RequestTrace {
  /** Notes that an attempt begins; the returned function notes its end, once. */
  callStarted(call: TracedCall): (ended: EndedCall) => void;
  /** Adds to the request's line what becomes known on the way. */
  note(fields: { readonly userId: string }): void;
  requestEnded(ended: { readonly status: number; readonly durationMs: number }): void;
}

/** The names OpenTelemetry's GenAI conventions have for providers; others go by ours. */
const PROVIDER_NAMES: Readonly<Record<string, string>> = { google: 'gcp.gemini' };

/**
 * Begins the trace of a request, as part of the one its caller named (W3C `traceparent` or Google's
 * `x-cloud-trace-context`). Without an OpenTelemetry SDK in the process the spans are no-ops.
 */
export function traceRequest(
  log: Log,
  {
    requestId,
    method,
    path,
    headers,
  }: { requestId: string; method: string; path: string; headers: IncomingHttpHeaders },
): RequestTrace {
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
  const noted = {};
  return {
    callStarted: ({ provider, model, purpose, attempt }) => {
      // OpenTelemetry's GenAI names, for spans and log lines alike. What is undefined appears in neither.
      const attributes: Attributes = {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': PROVIDER_NAMES[provider] ?? provider,
        'gen_ai.request.model': model,
        'ensemble.purpose': purpose,
        'ensemble.attempt': attempt,
      };
      const callSpan = tracer.startSpan(`chat ${model}`, { kind: SpanKind.CLIENT, attributes }, within);
      return ({ fault, cause, finishReason, promptTokens, completionTokens, durationMs }) => {
        const result: Attributes = {
          'gen_ai.response.finish_reasons': finishReason === undefined ? undefined : [finishReason],
          'gen_ai.usage.input_tokens': promptTokens,
          'gen_ai.usage.output_tokens': completionTokens,
          'error.type': fault,
        };
        endSpan(callSpan, result, fault);
        const write = fault === undefined ? log.info : log.warn;
        write('model call', { ...where, ...attributes, ...result, durationMs }, cause);
      };
    },
    note: (fields) => {
      Object.assign(noted, fields);
    },
    requestEnded: ({ status, durationMs }) => {
      endSpan(span, { 'http.response.status_code': status }, status >= 500 ? String(status) : undefined);
      log.info('request', { ...where, method, path, status, durationMs, ...noted });
    },
  };
}

function endSpan(span: Span, attributes: Attributes, fault: string | undefined): void {
  span.setAttributes(attributes);
  if (fault !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

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
