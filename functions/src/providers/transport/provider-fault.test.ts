import { ModelFault } from '../../models/model';
import { toModelFault } from './provider-fault';

const { signal } = new AbortController();

describe('toModelFault', () => {
  test('leaves a ModelFault as it is, even after an abort', () => {
    const fault = new ModelFault('rate_limited', { retryAfterSeconds: 3 });
    expect(toModelFault(fault, { signal: AbortSignal.abort() })).toBe(fault);
  });

  test('takes any other error after an abort for its consequence', () => {
    const error = Object.assign(new Error('x'), { status: 500 });
    expect(toModelFault(error, { signal: AbortSignal.abort() }).kind).toBe('aborted');
  });

  test('tells a system error from an unknown one', () => {
    expect(toModelFault(Object.assign(new Error('x'), { code: 'ECONNRESET' }), { signal }).kind).toBe('network');
    expect(toModelFault(new Error('x'), { signal }).kind).toBe('protocol');
    expect(toModelFault('x', { signal }).kind).toBe('protocol');
    expect(toModelFault(undefined, { signal }).kind).toBe('protocol');
  });

  test('keeps the error as the cause and its words out of the message', () => {
    const error = Object.assign(new Error('secret upstream words'), { status: 400 });
    const fault = toModelFault(error, { signal });
    expect(fault.message).toBe('model call failed: bad_request');
    expect(fault.cause).toBe(error);
  });
});
