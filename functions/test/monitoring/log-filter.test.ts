import { entryOf, type LogEntry } from './log-entry';
import { logFilter } from './log-filter';

/** The examples of the Logging query language's documentation, and its rules for what these filters use. */

const entry = (line: object): LogEntry => entryOf(JSON.stringify({ severity: 'INFO', ...line }), 'api');
const passes = (filter: string, line: object): boolean => logFilter(filter)(entry(line));

describe('a line on stdout', () => {
  it('loses the fields that Cloud Logging knows, and keeps the others', () => {
    const known = { severity: 'ERROR', time: '2026-01-15T12:00:00.000Z', 'logging.googleapis.com/trace': 't' };
    const line = { ...known, message: 'settle failed', requestId: 'r' };
    expect(entryOf(JSON.stringify(line), 'sweep')).toEqual({
      resource: { type: 'cloud_run_revision', labels: { service_name: 'sweep' } },
      severity: 'ERROR',
      timestamp: '2026-01-15T12:00:00.000Z',
      trace: 't',
      jsonPayload: { message: 'settle failed', requestId: 'r' },
    });
  });

  it('becomes text when nothing but its message is left', () => {
    expect(entry({ message: 'm' })).toMatchObject({ textPayload: 'm' });
    expect(passes('jsonPayload.message="m"', { message: 'm' })).toBe(false);
  });
});

describe('logFilter', () => {
  const line = { message: 'request', status: 500, 'error.type': 'timeout' };

  it.each([
    ['jsonPayload.message="request"', true],
    ['jsonPayload.message="REQUEST"', true],
    ['jsonPayload.message="request failed"', false],
    ['jsonPayload.message="quest"', false],
    ['jsonPayload.message=("request" OR "response")', true],
    ['jsonPayload."error.type"="timeout"', true],
    ['jsonPayload.error.type="timeout"', false],
    ['jsonPayload.status=500', true],
    ['jsonPayload.status>=500', true],
    ['jsonPayload.status>500', false],
    ['jsonPayload.status<500', false],
    ['jsonPayload.status<=499', false],
    ['resource.labels.service_name="api"', true],
    ['severity>=WARNING', false],
    ['severity=INFO', true],
  ])('%s is %s', (filter, passed) => {
    expect(passes(filter, line)).toBe(passed);
  });

  it('finds no field that is missing, whatever is asked of it', () => {
    for (const filter of ['jsonPayload.none=0', 'jsonPayload.none>=0', 'jsonPayload.none<1']) {
      expect(passes(filter, line)).toBe(false);
      expect(passes(`NOT ${filter}`, line)).toBe(true);
    }
  });

  it('binds NOT closest, then OR, then AND: a OR NOT b AND NOT c OR d', () => {
    const filter = 'jsonPayload.a=1 OR NOT jsonPayload.b=1 AND NOT jsonPayload.c=1 OR jsonPayload.d=1';
    for (let bits = 0; bits < 16; bits += 1) {
      const [a, b, c, d] = [bits & 1, (bits >> 1) & 1, (bits >> 2) & 1, (bits >> 3) & 1];
      expect(passes(filter, { message: 'm', a, b, c, d })).toBe((a === 1 || b !== 1) && (c !== 1 || d === 1));
    }
  });

  it('takes comparisons beside each other as if AND were between them, and parentheses first', () => {
    expect(passes('severity=INFO\njsonPayload.status=500', line)).toBe(true);
    expect(passes('severity=INFO\njsonPayload.status=200', line)).toBe(false);
    expect(passes('(severity=ERROR AND jsonPayload.status=500) OR severity=INFO', line)).toBe(true);
  });

  it.each(['jsonPayload.message:"req"', 'jsonPayload.message=~"req"', '"req"', 'jsonPayload.a != 1', 'a=1)', '(a=1'])(
    'refuses what it does not know: %s',
    (filter) => {
      expect(() => logFilter(filter)).toThrow('filter');
    },
  );
});
