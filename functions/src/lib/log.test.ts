import { Fault } from '../errors';
import { createLog, type LogLevel } from './log';

function linesOf(level: LogLevel, write: (log: ReturnType<typeof createLog>) => void): string[] {
  const lines: string[] = [];
  write(createLog(level, (line) => lines.push(line)));
  return lines;
}

describe('the log', () => {
  it('writes one JSON object a line, with a severity', () => {
    const [line = ''] = linesOf('info', (log) => log.info('swept', { records: 3 }));
    expect(JSON.parse(line)).toEqual({ severity: 'INFO', message: 'swept', records: 3 });
  });

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

  it.each(['sk-ens_0123456789abcdef', 'sk-proj-abc_DEF-123456789', 'AIzaSyA1234567890abcdef', 'Bearer abcdefgh.ijkl'])(
    'cuts %s out of error messages',
    (secret) => {
      const [line] = linesOf('error', (log) =>
        log.error('request failed', {}, new TypeError(`Headers: invalid value "${secret}"`)),
      );
      expect(line).not.toContain(secret.replace('Bearer ', ''));
      expect(line).toContain('[redacted]');
    },
  );

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

  it.each(['k3y-of-somebody', 'AbCdEfGh', 'two words', 'a'.repeat(41), '', { key: 'x' }])(
    'does not repeat what an upstream calls a code when it does not look like one: %j',
    (code) => {
      const cause = Object.assign(new Error('x'), { status: 401, code, name: code });
      const fault = Object.assign(new Error('failed', { cause }), { name: 'ModelFault' });
      const [line] = linesOf('error', (log) => log.error('request failed', {}, fault));
      expect(JSON.parse(line ?? '').cause).toBe('ModelFault: failed <- Error 401');
    },
  );

  it.each(['rate_limit_exceeded', 'ECONNRESET', 'RESOURCE_EXHAUSTED', 429])(
    'repeats a code that is one: %j',
    (code) => {
      const fault = Object.assign(new Error('failed', { cause: { code } }), { name: 'ModelFault' });
      const [line] = linesOf('error', (log) => log.error('request failed', {}, fault));
      expect(JSON.parse(line ?? '').cause).toBe(`ModelFault: failed <- ${code}`);
    },
  );

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
