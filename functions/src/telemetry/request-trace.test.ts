import {
  type Attributes,
  type Context,
  type Span,
  type SpanContext,
  type SpanOptions,
  trace,
} from '@opentelemetry/api';
import { createLog } from '../lib/log';
import { traceRequest } from './request-trace';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALL = { provider: 'google', model: 'gemini-2.5-pro', purpose: 'draft', attempt: 1 };

function begin(headers: Record<string, string> = {}) {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('info', (line) => lines.push(JSON.parse(line)));
  const traced = traceRequest(log, { requestId: 'r1', method: 'POST', path: '/v1/responses', headers });
  return { lines, traced };
}

describe('traceRequest, log lines', () => {
  it('tells each model call by its GenAI names, and the request', () => {
    const { lines, traced } = begin();
    traced.callStarted(CALL)({ finishReason: 'stop', promptTokens: 7, completionTokens: 3, durationMs: 12 });
    traced.note({ userId: 'u1' });
    traced.requestEnded({ status: 200, durationMs: 20 });
    expect(lines).toEqual([
      {
        severity: 'INFO',
        message: 'model call',
        requestId: 'r1',
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'gcp.gemini',
        'gen_ai.request.model': 'gemini-2.5-pro',
        'gen_ai.response.finish_reasons': ['stop'],
        'gen_ai.usage.input_tokens': 7,
        'gen_ai.usage.output_tokens': 3,
        'ensemble.purpose': 'draft',
        'ensemble.attempt': 1,
        durationMs: 12,
      },
      {
        severity: 'INFO',
        message: 'request',
        requestId: 'r1',
        method: 'POST',
        path: '/v1/responses',
        status: 200,
        durationMs: 20,
        modelCalls: 1,
        userId: 'u1',
      },
    ]);
  });

  it('a failed call is a warning with our word for it, and tokens only as far as they were reported', () => {
    const { lines, traced } = begin();
    traced.callStarted(CALL)({ fault: 'overloaded', cause: new Error('down'), durationMs: 5 });
    const [line = {}] = lines;
    expect(line).toMatchObject({
      severity: 'WARNING',
      'error.type': 'overloaded',
      durationMs: 5,
      cause: 'Error: down',
    });
    expect(Object.keys(line).filter((name) => name.startsWith('gen_ai.usage'))).toEqual([]);
  });

  it.each([
    ['traceparent', { traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01` }, TRACE_ID],
    ['x-cloud-trace-context', { 'x-cloud-trace-context': `${TRACE_ID}/123;o=1` }, TRACE_ID],
    ['a broken header', { traceparent: `00-${TRACE_ID}-zz-01` }, undefined],
    ['a header with more than an id', { 'x-cloud-trace-context': `${TRACE_ID}"}\n{"severity":"ERROR` }, undefined],
    ['no header', {}, undefined],
  ])('the trace id comes from %s, on every line', (_, headers, traceId) => {
    const { lines, traced } = begin(headers as Record<string, string>);
    traced.callStarted(CALL)({ durationMs: 1 });
    traced.requestEnded({ status: 200, durationMs: 1 });
    expect(lines.map((line) => line['traceId'])).toEqual([traceId, traceId]);
  });
});

/** A span as an SDK would see it. */
interface Recorded {
  readonly name: string;
  readonly kind: number | undefined;
  readonly parent: string | undefined;
  readonly attributes: Attributes;
  status?: number;
  ended: boolean;
}

/** The part of an OpenTelemetry SDK that the API calls: spans are kept, each with an id of its own. */
function registerRecorder(): Recorded[] {
  const spans: Recorded[] = [];
  const startSpan = (name: string, options: SpanOptions = {}, parent?: Context): Span => {
    const spanContext: SpanContext = {
      traceId: TRACE_ID,
      spanId: `${spans.length + 1}`.padStart(16, '0'),
      traceFlags: 1,
    };
    const recorded: Recorded = {
      name,
      kind: options.kind,
      parent: parent && trace.getSpanContext(parent)?.spanId,
      attributes: { ...options.attributes },
      ended: false,
    };
    spans.push(recorded);
    const span = {
      spanContext: () => spanContext,
      setAttributes: (more: Attributes) => Object.assign(recorded.attributes, more) && span,
      setStatus: ({ code }: { code: number }) => {
        recorded.status = code;
        return span;
      },
      end: () => {
        recorded.ended = true;
      },
    };
    return span as unknown as Span;
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) as never });
  return spans;
}

describe('traceRequest, spans where an OpenTelemetry SDK is installed', () => {
  afterEach(() => trace.disable());

  it('a span for the request and under it one for each call, with the trace id on the lines', () => {
    const spans = registerRecorder();
    const { lines, traced } = begin();
    traced.callStarted(CALL)({ finishReason: 'stop', promptTokens: 7, completionTokens: 3, durationMs: 12 });
    traced.callStarted({ ...CALL, attempt: 2 })({ fault: 'timeout', durationMs: 12 });
    traced.requestEnded({ status: 500, durationMs: 20 });
    expect(spans.map(({ name, kind, parent, status, ended }) => ({ name, kind, parent, status, ended }))).toEqual([
      { name: 'POST /v1/responses', kind: 1, parent: undefined, status: 2, ended: true },
      { name: 'chat gemini-2.5-pro', kind: 2, parent: '0000000000000001', status: undefined, ended: true },
      { name: 'chat gemini-2.5-pro', kind: 2, parent: '0000000000000001', status: 2, ended: true },
    ]);
    expect(spans[1]?.attributes).toMatchObject({ 'gen_ai.usage.input_tokens': 7, 'gen_ai.usage.output_tokens': 3 });
    expect(spans[2]?.attributes).toMatchObject({ 'error.type': 'timeout', 'ensemble.attempt': 2 });
    expect(lines.every((line) => line['traceId'] === TRACE_ID)).toBe(true);
  });

  it('regression: names and attributes are redacted and cut like lines', () => {
    const spans = registerRecorder();
    const lines: string[] = [];
    const log = createLog('info', (line) => lines.push(line));
    const key = 'sk-ens_0123456789abcdefABCDEF';
    const path = `/v1/${encodeURIComponent(`bearer ${key}`)}/${'a'.repeat(15_000)}`;
    const traced = traceRequest(log, { requestId: 'r1', method: 'GET', path, headers: {} });
    traced.callStarted({ ...CALL, model: key })({ durationMs: 1 });
    traced.note({ model: `${key}, `.repeat(1_000) });
    traced.requestEnded({ status: 404, durationMs: 1 });
    const told = JSON.stringify(spans) + lines.join();
    expect(told).not.toContain('0123456789abcdef');
    expect(told.length).toBeLessThan(3_000);
  });
});
