import { Readable } from 'node:stream';
import { fixture } from '../../../test/support/protocols';
import { ModelFault, type ModelFaultKind } from '../../models/model-fault';
import { refusalOf, reportedFault, retryAfterSeconds, toModelFault } from './provider-fault';

const { signal } = new AbortController();
const address = 'https://api.example.com/v1?key=secret';

/** A refusal as a server words it, and its meaning. */
interface Refusal {
  readonly server: string;
  readonly status: number;
  readonly body: object | string;
  readonly kind: string;
  readonly refuses?: readonly string[];
  readonly retryAfterSeconds?: number;
  readonly contextTokens?: number;
}

const RETRY = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' };
const gemini = (code: number, detail: object) => ({ error: { code, message: 'x', details: [detail] } });
const REFUSALS: readonly Refusal[] = [
  ...fixture('refusals.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Refusal),
  { server: 'Gemini', status: 429, body: gemini(429, RETRY), kind: 'rate_limited', retryAfterSeconds: 34.5 },
  { server: 'Gemini', status: 429, body: gemini(429, { ...RETRY, retryDelay: 'soon' }), kind: 'rate_limited' },
  { server: 'Gemini', status: 400, body: gemini(400, { reason: 'API_KEY_INVALID' }), kind: 'unauthorized' },
];

it.each(REFUSALS)('the refusal $status of $server means $kind $refuses: $body', async (refusal) => {
  const { status: statusCode, body, kind, refuses, retryAfterSeconds: seconds, contextTokens } = refusal;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = Object.assign(Readable.from([Buffer.from(text)]), { statusCode, headers: {} });
  expect(await refusalOf(response)).toMatchObject({
    ...{ kind, retryAfterSeconds: seconds, contextTokens },
    ...(refuses && { refuses }),
  });
});

it.each<[report: object | string, kind: ModelFaultKind]>([
  ['Unexpected endpoint or method. (POST /chat/completions)', 'wrong_address'],
  [{ code: 400, message: 'Context size has been exceeded.' }, 'context_length'],
  [{ type: 'insufficient_quota', message: 'x' }, 'out_of_credit'],
  [{ message: 'x', code: 429 }, 'rate_limited'],
  [{ message: 'x', code: '502' }, 'server'],
  [{ message: 'x', type: 'tokens', code: 'rate_limit_exceeded' }, 'rate_limited'],
  [{ message: 'x', code: 'context_length_exceeded' }, 'context_length'],
  [{ type: 'overloaded_error' }, 'overloaded'],
  [{ type: 'rate_limit_error' }, 'rate_limited'],
  [{ type: 'server_error' }, 'server'],
  [{ type: 'api_error' }, 'server'],
  [{ type: 'authentication_error' }, 'unauthorized'],
  [{ type: 'permission_error' }, 'unauthorized'],
  [{ type: 'not_found_error' }, 'not_found'],
  [{ type: 'invalid_request_error' }, 'bad_request'],
  [{ type: 'timeout_error' }, 'timeout'],
  [{}, 'server'],
  ['something broke', 'server'],
])('the report %j inside a stream means %s', (report, kind) => expect(reportedFault(report).kind).toBe(kind));

describe('toModelFault', () => {
  it('leaves a ModelFault as it is, even after an abort, but for an address that is wrong', () => {
    const fault = new ModelFault('rate_limited', { retryAfterSeconds: 3 });
    expect(toModelFault(fault, { signal: AbortSignal.abort(), address })).toBe(fault);
    const elsewhere = toModelFault(new ModelFault('wrong_address'), { signal, address });
    expect(elsewhere.message).toBe('model call failed: wrong_address (https://api.example.com/v1)');
  });

  it('tells a system error from an unknown one, and keeps it as the cause, its words out of the message', () => {
    const error = Object.assign(new Error('secret upstream words'), { code: 'ECONNRESET' });
    const fault = toModelFault(error, { signal, address });
    expect(fault).toMatchObject({ kind: 'network', cause: error, message: 'model call failed: network' });
    expect(toModelFault(error, { signal: AbortSignal.abort(), address }).kind).toBe('aborted');
    for (const unknown of [new Error('x'), 'x', undefined]) {
      expect(toModelFault(unknown, { signal, address }).kind).toBe('protocol');
    }
  });
});

it.each([
  [{ 'retry-after': '7' }, 7],
  [{ 'retry-after': ' 1.5 ' }, 1.5],
  [{ 'retry-after-ms': '1500', 'retry-after': '7' }, 1.5],
  [{ 'retry-after-ms': 'soon', 'retry-after': '7' }, 7],
  [{ 'retry-after': 'Fri, 01 Jan 2100 00:01:00 GMT', date: 'Fri, 01 Jan 2100 00:00:00 GMT' }, 60],
  [{ 'retry-after': 'Fri, 01 Jan 2100 00:00:00 GMT', date: 'Fri, 01 Jan 2100 00:01:00 GMT' }, 0],
  [{ 'retry-after': 'Fri, 01 Jan 2100 00:00:00 GMT', date: 'nonsense' }, undefined],
  [{ 'retry-after': '-3' }, undefined],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '99999999999' }, undefined],
  [{}, undefined],
])('the wait of %j is %s seconds', (headers, seconds) => expect(retryAfterSeconds(headers)).toBe(seconds));
