import { outcomeOf } from './call-row';

describe('the outcome of an attempt', () => {
  it('is ok without a fault', () => {
    expect(outcomeOf(undefined)).toBe('ok');
  });

  it.each(['timeout', 'aborted', 'output_too_long'] as const)('is aborted for one that we cut off: %s', (fault) => {
    expect(outcomeOf(fault)).toBe('aborted');
  });

  it.each(['network', 'rate_limited', 'not_found', 'empty'] as const)('is failed for all other faults: %s', (fault) => {
    expect(outcomeOf(fault)).toBe('failed');
  });
});
