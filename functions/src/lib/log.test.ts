import { Fault } from '../errors';
import { traceRequest } from '../telemetry/request-trace';
import { createLog, type LogLevel } from './log';

function linesOf(level: LogLevel, write: (log: ReturnType<typeof createLog>) => void): string[] {
  const lines: string[] = [];
  write(createLog(level, (line) => lines.push(line)));
  return lines;
}

describe('the log', () => {
  it.each([
    ['silent', 0],
    ['error', 1],
    ['warn', 2],
    ['info', 3],
  ] as const)('at level %s writes %d of an error, a warning and an information', (level, count) => {
    const lines = linesOf(level, (log) => {
      log.error('settle failed', {}, new Error('x'));
      log.warn('no price known', {});
      log.info('swept', {});
    });
    expect(lines).toHaveLength(count);
  });

  it('tells of an error behind a failed model call its name, status and code, never its words', () => {
    const upstream = Object.assign(new Error('400 the prompt "my secret plan" is too long'), {
      status: 400,
      code: 'too_long',
    });
    const fault = Object.assign(new Error('model call failed: bad_request', { cause: upstream }), {
      name: 'ModelFault',
    });
    const [line] = linesOf('error', (log) =>
      log.error('request failed', {}, new Error('All failed', { cause: fault })),
    );
    expect(line).toContain('Error: All failed <- ModelFault: model call failed: bad_request <- Error 400 too_long');
    expect(line).not.toContain('secret plan');
  });

  it.each([
    ...['k3y-of-somebody', 'AbCdEfGh', 'two words', 'a'.repeat(41), '', { key: 'x' }].map(
      (code) => [code, ''] as const,
    ),
    ...['rate_limit_exceeded', 'ECONNRESET', 429].map((code) => [code, ` ${code}`] as const),
  ])('repeats what an upstream calls a code where it looks like one: %j', (code, told) => {
    const cause = Object.assign(new Error('x'), { status: 401, code, name: code });
    const fault = Object.assign(new Error('failed', { cause }), { name: 'ModelFault' });
    const [line] = linesOf('error', (log) => log.error('request failed', {}, fault));
    expect(JSON.parse(line ?? '').cause).toBe(`ModelFault: failed <- Error 401${told}`);
  });

  describe('of a fault of our own code', () => {
    const cloud = { project: 'p', service: 'api', version: 'api-00007' };
    const report = (cause: unknown, severity: 'error' | 'warn' = 'error'): Record<string, unknown> => {
      const lines: string[] = [];
      createLog('info', (line) => lines.push(line), { cloud })[severity]('request failed', { traceId: 'a1' }, cause);
      return JSON.parse(lines[0] ?? '');
    };

    it('has what Error Reporting groups and shows errors by', () => {
      const { stack_trace: stack, ...line } = report(new Error('failed', { cause: new TypeError('no such thing') }));
      expect(line).toEqual({
        severity: 'ERROR',
        message: 'request failed',
        traceId: 'a1',
        cause: 'Error: failed <- TypeError: no such thing',
        '@type': 'type.googleapis.com/google.devtools.clouderrorreporting.v1beta1.ReportedErrorEvent',
        serviceContext: { service: 'api', version: 'api-00007' },
        'logging.googleapis.com/trace': 'projects/p/traces/a1',
      });
      expect(stack).toMatch(/^TypeError: no such thing\n {4}at .+log\.test\.ts:\d+:\d+\)?(\n {4}at .+)+$/);
    });

    it.each([
      ['a key', 'sk-ens_0123456789abcdef0123'],
      ['lines that look like a stack', 'x\n    at secret plan (a.ts:1:1)\n    at more of it (b.ts:1:1)'],
      ['more than fits', 'x'.repeat(100_000)],
    ])('tells nothing of %s in its message but what the line tells anyway', (_, message) => {
      const stack = String(report(new Error(message))['stack_trace']);
      expect(stack).not.toContain('0123456789abcdef');
      expect(stack.split('\n').slice(1).join()).not.toContain('secret plan');
      expect(stack.length).toBeLessThan(6_000);
    });

    it.each([
      ['a model', new Error('failed', { cause: Object.assign(new Error('words'), { name: 'ModelFault' }) }), 'error'],
      ['nobody: it was expected', new Fault('models_failed', 'All failed'), 'error'],
      ['nobody: it is only a warning', new Error('slow'), 'warn'],
    ] as const)('has none of it when the fault is of %s', (_, cause, severity) => {
      expect(Object.keys(report(cause, severity))).not.toEqual(expect.arrayContaining(['stack_trace']));
      expect(report(cause, severity)['@type']).toBeUndefined();
    });
  });
});

const AT_MS = new Date(2026, 10, 23, 9, 5, 7).getTime();

function linesFor(level: LogLevel = 'info') {
  const lines: string[] = [];
  return { lines, log: createLog(level, (line) => lines.push(line), { format: 'text', nowMs: () => AT_MS }) };
}

const CALL = { provider: 'openai', model: 'gpt-5', purpose: 'draft', attempt: 1 };

/** Control sequences that hostile callers put into paths, ids and messages, and that no terminal may get. */
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
    log.warn('no price known', { modelId: 'sk-ens_0123456789abcdef' }, new TypeError('key sk-ens_0123456789abcdef'));
    expect(lines).toEqual(['09:05:07 WARNING no price known modelId=[redacted] (TypeError: key [redacted])']);
  });
});

it('lines of JSON tell their time, and mean what they said', () => {
  const lines: string[] = [];
  createLog('info', (line) => lines.push(line), { nowMs: () => 0 }).info('swept', { user: 'a\u202eb\u{e0001}' });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { time: '1970-01-01T00:00:00.000Z', severity: 'INFO', message: 'swept', user: 'a\u202eb\u{e0001}' },
  ]);
});
