import { anySignal } from './any-signal';

describe('anySignal', () => {
  it('aborts once one of its sources does, for the same reason', () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const signal = anySignal(one.signal, other.signal);
    expect(signal.aborted).toBe(false);
    other.abort('the second');
    one.abort('the first');
    expect([signal.aborted, signal.reason]).toEqual([true, 'the second']);
  });

  it('is aborted from the beginning where a source is, for the reason of the first that is', () => {
    const signal = anySignal(new AbortController().signal, AbortSignal.abort('gone'), AbortSignal.abort('late'));
    expect([signal.aborted, signal.reason]).toEqual([true, 'gone']);
  });
});
