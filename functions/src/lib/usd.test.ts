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
    '',
    '$',
    '-5',
    '+5',
    '5.',
    '.5',
    '5,00',
    '1e3',
    'Infinity',
    'NaN',
    '0x5',
    '1.0000000001',
    '1000001',
    '5 USD',
  ])('%j is no amount', (text) => expect(parseUsd(text)).toBeUndefined());
});

describe('formatUsd', () => {
  it.each([
    [5_000_000_000, '$5.00'],
    [290_000_000, '$0.29'],
    [1, '$0.000000001'],
    [1_500_000, '$0.0015'],
    [0, '$0.00'],
  ])('%d nano-USD is %s', (nanoUsd, text) => expect(formatUsd(nanoUsd)).toBe(text));

  it('is read back as the same amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000_000_000 }), (nanoUsd) => {
        expect(parseUsd(formatUsd(nanoUsd))).toBe(nanoUsd);
      }),
    );
  });
});
