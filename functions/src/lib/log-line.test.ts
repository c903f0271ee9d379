import { traceRequest } from '../telemetry/request-trace';
import { createLog, type LogLevel } from './log';

const AT_MS = new Date(2026, 10, 23, 9, 5, 7).getTime();

function linesFor(level: LogLevel = 'info') {
  const lines: string[] = [];
  return { lines, log: createLog(level, (line) => lines.push(line), { format: 'text', nowMs: () => AT_MS }) };
}

const CALL = { provider: 'openai', model: 'gpt-5', purpose: 'draft', attempt: 1 };

/** What hostile callers put into paths, ids and messages, and nobody's terminal is to be given. */
const ORDERS = [
  '\u001b[2J\u001b[31m',
  '\u001b]0;title\u0007',
  '\u009b31m',
  '\r09:05:07 GET /healthz 200 1 ms',
  '\n09:05:07 GET /healthz 200 1 ms',
  '\u2028next',
  '\u202egnp',
  '\u0000',
  '\u007f',
];

describe('a line for people', () => {
  it('tells of a request its time, method, path, status, length, model calls and cost', () => {
    const { lines, log } = linesFor();
    const traced = traceRequest(log, { requestId: 'r1', method: 'POST', path: '/v1/chat/completions', headers: {} });
    for (const _ of [1, 2]) traced.callStarted(CALL)({ durationMs: 1 });
    traced.note({ userId: 'ada', costNanoUsd: 4_200_000 });
    traced.requestEnded({ status: 200, durationMs: 812.4 });
    expect(lines).toEqual(['09:05:07 POST /v1/chat/completions 200 812 ms, 2 model calls, $0.0042']);
  });

  it('tells the id of a request that failed, by which it is reported', () => {
    const { lines, log } = linesFor();
    const traced = traceRequest(log, { requestId: 'r1', method: 'GET', path: '/v1/usage', headers: {} });
    traced.requestEnded({ status: 401, durationMs: 3 });
    expect(lines).toEqual(['09:05:07 GET /v1/usage 401 3 ms, requestId=r1']);
  });

  it('of a model call there is at `debug`, of a failed one always', () => {
    for (const [level, count] of [
      ['info', 1],
      ['debug', 2],
    ] as const) {
      const { lines, log } = linesFor(level);
      const traced = traceRequest(log, { requestId: 'r1', method: 'GET', path: '/', headers: {} });
      traced.callStarted(CALL)({ durationMs: 1 });
      traced.callStarted(CALL)({ durationMs: 1, fault: 'timeout', cause: new Error('too late') });
      expect(lines).toHaveLength(count);
      expect(lines.at(-1)).toBe(
        '09:05:07 WARNING model call gpt-5 draft, attempt 1: timeout, 1 ms, requestId=r1 (Error: too late)',
      );
    }
  });

  it('of our own faults has the stack behind it, indented', () => {
    const { lines, log } = linesFor();
    log.error('request failed', {}, new Error(`a\nb`));
    const [head, ...frames] = lines.join().split('\n');
    expect(head).toBe('09:05:07 ERROR request failed (Error: a b)');
    expect(frames.length).toBeGreaterThan(0);
    expect(frames.every((frame) => frame.startsWith('    at '))).toBe(true);
  });

  it.each(ORDERS)('cannot be forged, nor give a terminal orders: %j', (order) => {
    for (const format of ['text', 'json'] as const) {
      const lines: string[] = [];
      const log = createLog('debug', (line) => lines.push(line), { format, nowMs: () => AT_MS });
      const path = `/v1/${encodeURIComponent(order)}`;
      const traced = traceRequest(log, { requestId: 'r1', method: 'GET', path, headers: {} });
      traced.callStarted({ ...CALL, model: order })({ durationMs: 1, fault: order });
      traced.note({ userId: order, model: order });
      traced.requestEnded({ status: 404, durationMs: 1 });
      log.warn('no price known', { modelId: order }, new TypeError(order));
      expect(lines).toHaveLength(3);
      expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    }
  });

  it('puts in quotes what could be taken for more than one word', () => {
    const { lines, log } = linesFor();
    const path = '/v1/%22%20200%201%20ms';
    traceRequest(log, { requestId: 'r1', method: 'GET', path, headers: {} }).requestEnded({
      status: 404,
      durationMs: 1,
    });
    expect(lines).toEqual(['09:05:07 GET "/v1/\\" 200 1 ms" 404 1 ms, requestId=r1']);
  });

  it('holds no key', () => {
    const { lines, log } = linesFor();
    log.warn('no price known', { modelId: 'sk-ens_0123456789abcdef' });
    expect(lines).toEqual(['09:05:07 WARNING no price known modelId=[redacted]']);
  });
});

it('lines of JSON tell their time, and mean what they said', () => {
  const lines: string[] = [];
  createLog('info', (line) => lines.push(line), { nowMs: () => 0 }).info('swept', { user: 'a\u202eb\u{e0001}' });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { time: '1970-01-01T00:00:00.000Z', severity: 'INFO', message: 'swept', user: 'a\u202eb\u{e0001}' },
  ]);
});
