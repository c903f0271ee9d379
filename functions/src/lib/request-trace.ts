import type { IncomingHttpHeaders } from 'node:http';
import { type Context, context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Log } from './log';

/** One attempt at a model, as it begins. */
export interface TracedCall {
  /** `openai`, `anthropic`, … */
  readonly provider: string;
  /** The provider's own model name. */
  readonly model: string;
  readonly purpose: string;
  /** 1, 2, … */
  readonly attempt: number;
}

/** How it ended; tokens only as far as the provider reported them. */
export interface EndedCall {
  /** A word of ours for what went wrong. */
  readonly fault?: string;
  /** For the log, which tells no upstream words. */
  readonly cause?: unknown;
  readonly finishReason?: string;
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly durationMs: number;
}

/** How a request ended. */
export interface EndedRequest {
  readonly status: number;
  readonly durationMs: number;
  readonly userId?: string;
}

/** One request as operators follow it: a log line and a span for it and for each of its model calls. */
export interface RequestTrace {
  /** Notes that an attempt begins; the returned function notes its end, once. */
  callStarted(call: TracedCall): (ended: EndedCall) => void;
  requestEnded(ended: EndedRequest): void;
}

/** What begins a trace. */
export interface TracedRequest {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** The names OpenTelemetry's GenAI conventions have for providers; others go by ours. */
const PROVIDER_NAMES: Readonly<Record<string, string>> = { google: 'gcp.gemini' };

/**
 * Begins the trace of a request, as part of the one its caller named (W3C `traceparent` or Google's
 * `x-cloud-trace-context`). Without an OpenTelemetry SDK in the process the spans are no-ops.
 */
export function traceRequest(log: Log, request: TracedRequest): RequestTrace {
  const tracer = trace.getTracer('ensemble-api');
  const { requestId, method, path, headers } = request;
  const parent = parentOf(headers);
  const span = tracer.startSpan(
    `${method} ${path}`,
    { kind: SpanKind.SERVER, attributes: { 'http.request.method': method, 'url.path': path } },
    parent,
  );
  const within = trace.setSpan(parent, span);
  const traceId = knownTraceId(span) ?? traceIdIn(headers);
  const where = { requestId, ...(traceId !== undefined && { traceId }) };
  return {
    callStarted: (call) => {
      const attributes = callAttributes(call);
      const callSpan = tracer.startSpan(`chat ${call.model}`, { kind: SpanKind.CLIENT, attributes }, within);
      return ({ cause, durationMs, ...ended }) => {
        const result = endAttributes(ended);
        endSpan(callSpan, result, ended.fault);
        log.modelCall({ ...where, ...attributes, ...result, durationMs }, cause);
      };
    },
    requestEnded: ({ status, ...ended }) => {
      endSpan(span, { 'http.response.status_code': status }, status >= 500 ? String(status) : undefined);
      log.request({ ...where, method, path, status, ...ended });
    },
  };
}

/** OpenTelemetry's GenAI names, for spans and log lines alike. */
function callAttributes({ provider, model, purpose, attempt }: TracedCall): Attributes {
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': PROVIDER_NAMES[provider] ?? provider,
    'gen_ai.request.model': model,
    'ensemble.purpose': purpose,
    'ensemble.attempt': attempt,
  };
}

type Attributes = Record<string, string | number | string[]>;

function endAttributes({
  fault,
  finishReason,
  promptTokens,
  completionTokens,
}: Omit<EndedCall, 'durationMs'>): Attributes {
  return {
    ...(finishReason !== undefined && { 'gen_ai.response.finish_reasons': [finishReason] }),
    ...(promptTokens !== undefined && { 'gen_ai.usage.input_tokens': promptTokens }),
    ...(completionTokens !== undefined && { 'gen_ai.usage.output_tokens': completionTokens }),
    ...(fault !== undefined && { 'error.type': fault }),
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
