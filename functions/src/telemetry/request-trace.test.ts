import { type Span, trace } from '@opentelemetry/api';
import { createLog } from '../lib/log';
import { traceRequest } from './request-trace';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALL = { provider: 'google', model: 'gemini-2.5-pro', purpose: 'draft', attempt: 1 };

it.each([
  ['traceparent', { traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01` }, TRACE_ID],
  ['x-cloud-trace-context', { 'x-cloud-trace-context': `${TRACE_ID}/123;o=1` }, TRACE_ID],
  ['a broken header', { traceparent: `00-${TRACE_ID}-zz-01` }, undefined],
  ['a header with more than an id', { 'x-cloud-trace-context': `${TRACE_ID}"}\n{"severity":"ERROR` }, undefined],
  ['no header', {}, undefined],
])('the trace id comes from %s, on every line', (_, headers, traceId) => {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('info', (line) => lines.push(JSON.parse(line)));
  const traced = traceRequest(log, { requestId: 'r1', method: 'POST', path: '/v1/responses', headers });
  traced.callStarted(CALL)({ durationMs: 1 });
  traced.requestEnded({ status: 200, durationMs: 1 });
  expect(lines.map((line) => line['traceId'])).toEqual([traceId, traceId]);
});

it('regression: names and attributes are redacted and cut like lines', () => {
  const told: unknown[] = [];
  const span = {
    spanContext: () => ({ traceId: TRACE_ID, spanId: '0'.repeat(15).concat('1'), traceFlags: 1 }),
    isRecording: () => true,
    setAttributes: (more: unknown) => told.push(more) > 0 && span,
    end: () => undefined,
  } as unknown as Span;
  const startSpan = (...said: unknown[]): Span => {
    told.push(said.slice(0, 2));
    return span;
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) as never });
  const log = createLog('info', (line) => told.push(line));
  const key = 'sk-ens_0123456789abcdefABCDEF';
  const path = `/v1/${encodeURIComponent(`bearer ${key}`)}/${'a'.repeat(15_000)}`;
  const traced = traceRequest(log, { requestId: 'r1', method: 'GET', path, headers: {} });
  trace.disable();
  traced.note({ model: `${key}, `.repeat(1_000), strategy: 'standard' });
  const endRun = traced.runStarted();
  traced.callStarted({ ...CALL, model: key, place: { round: 1, seat: 'j1' } })({ durationMs: 1 });
  endRun({ promptTokens: 1, completionTokens: 1, cachedPromptTokens: 0, costNanoUsd: 1 });
  traced.requestEnded({ status: 404, durationMs: 1 });
  expect(told.length).toBeGreaterThan(7);
  expect(JSON.stringify(told)).not.toContain('0123456789abcdef');
  expect(JSON.stringify(told).length).toBeLessThan(3_000);
});

it('nothing of a run is computed for spans that nobody records', () => {
  const started: string[] = [];
  const span = { spanContext: () => ({ traceId: TRACE_ID }), isRecording: () => false, setAttributes: () => span };
  const unrecorded = { ...span, end: () => undefined } as unknown as Span;
  const startSpan = (name: string): Span => {
    started.push(name);
    return unrecorded;
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) as never });
  const traced = traceRequest(createLog('silent'), { requestId: 'r1', method: 'POST', path: '/', headers: {} });
  trace.disable();
  traced.note({ strategy: 'expert_panel' });
  const endRun = traced.runStarted();
  traced.callStarted({ ...CALL, place: { round: 1, seat: 'p1' } })({ durationMs: 1 });
  endRun({ costNanoUsd: 1 });
  expect(started).toEqual(['POST /', 'chat gemini-2.5-pro']);
});

it('the token of a link to a run appears nowhere', () => {
  const told: string[] = [];
  const log = createLog('info', (line) => told.push(line));
  const path = '/dashboard/shared/abcdefghijklmnopqrstuvwxyz012345';
  traceRequest(log, { requestId: 'r1', method: 'GET', path, headers: {} }).requestEnded({ status: 200, durationMs: 1 });
  expect(told.join()).toContain('/dashboard/shared/…');
  expect(told.join()).not.toContain('abcdef');
});
