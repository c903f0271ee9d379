import { ModelFault } from '../../models/model-fault';
import { retryAfterSeconds, toModelFault } from './provider-fault';

const { signal } = new AbortController();
const address = 'https://api.example.com/v1?key=secret';

describe('toModelFault', () => {
  test('leaves a ModelFault as it is, even after an abort, but for an address that is wrong', () => {
    const fault = new ModelFault('rate_limited', { retryAfterSeconds: 3 });
    expect(toModelFault(fault, { signal: AbortSignal.abort(), address })).toBe(fault);
    const elsewhere = toModelFault(new ModelFault('wrong_address'), { signal, address });
    expect(elsewhere.message).toBe('model call failed: wrong_address (https://api.example.com/v1)');
  });

  test('takes any other error after an abort for its consequence', () => {
    expect(toModelFault(new Error('x'), { signal: AbortSignal.abort(), address }).kind).toBe('aborted');
  });

  test('tells a system error from an unknown one, and keeps it as the cause, its words out of the message', () => {
    const error = Object.assign(new Error('secret upstream words'), { code: 'ECONNRESET' });
    const fault = toModelFault(error, { signal, address });
    expect(fault).toMatchObject({ kind: 'network', cause: error, message: 'model call failed: network' });
    for (const unknown of [new Error('x'), 'x', undefined]) {
      expect(toModelFault(unknown, { signal, address }).kind).toBe('protocol');
    }
  });
});

test.each([
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
])('the wait of %j is %s seconds', (headers, seconds) => {
  expect(retryAfterSeconds(headers)).toBe(seconds);
});
