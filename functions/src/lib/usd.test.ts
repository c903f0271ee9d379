import fc from '../../test/support/properties';
import { formatUsd, parseUsd } from './usd';

describe('parseUsd', () => {
  it.each([
    ['5', 5_000_000_000],
    ['$5', 5_000_000_000],
    [' 5.00 ', 5_000_000_000],
    ['0.1', 100_000_000],
    ['0.29', 290_000_000],
    ['0.000000001', 1],
    ['1000000', 1_000_000_000_000_000],
    ['0', 0],
  ])('%j is %d nano-USD', (text, nanoUsd) => expect(parseUsd(text)).toBe(nanoUsd));

  it.each([
    ...['', '$', '-5', '+5', '5.', '.5', '5,00', '1e3', 'Infinity', 'NaN'],
    ...['0x5', '1.0000000001', '1000001', '5 USD'],
  ])('%j is no amount', (text) => expect(parseUsd(text)).toBeUndefined());
});

describe('formatUsd', () => {
  it('has cents, and more digits only where they do not say it all', () => {
    expect([5_000_000_000, 1_500_000, 1, 0].map(formatUsd)).toEqual(['$5.00', '$0.0015', '$0.000000001', '$0.00']);
  });

  it('is read back as the same amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000_000_000 }), (nanoUsd) => {
        expect(parseUsd(formatUsd(nanoUsd))).toBe(nanoUsd);
      }),
    );
  });
});
