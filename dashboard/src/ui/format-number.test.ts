import { usd, usdOnAxis } from './format-number';

describe('dollars', () => {
  it.each([
    [0, '$0.00'],
    [0.000_000_75, '$0.000000750'],
    [0.0042, '$0.00420'],
    [0.01, '$0.01'],
    [0.1 + 0.2, '$0.30'],
    [0.000_079_96, '$0.0000800'],
    [0.014_94, '$0.0149'],
    [0.5, '$0.50'],
    [0.1234, '$0.123'],
    [0.999, '$0.999'],
    [0.9996, '$1.00'],
    [1.239, '$1.24'],
    [41.2, '$41.20'],
    [1234.5, '$1,234.50'],
  ])('%d are %s: below one to three digits, but for whole cents', (amount, text) => {
    expect(usd(amount, 'en')).toBe(text);
  });

  it.each([
    [
      [0, 5, 10],
      ['$0', '$5', '$10'],
    ],
    [
      [0, 0.5, 1],
      ['$0', '$0.50', '$1.00'],
    ],
    [
      [0, 0.01, 0.02],
      ['$0', '$0.01', '$0.02'],
    ],
    [
      [0, 0.005, 0.01],
      ['$0', '$0.005', '$0.010'],
    ],
    [
      [0, 0.0002, 0.0004],
      ['$0', '$0.0002', '$0.0004'],
    ],
  ])('on an axis with marks at %j are %j: told apart, and none but zero with fewer digits', (marks, texts) => {
    const step = (marks[1] ?? 0) - (marks[0] ?? 0);
    expect(marks.map((mark) => usdOnAxis(mark, step, 'en'))).toEqual(texts);
  });
});
