import { lengthOf, monthAfter, monthAt, parseRange, rangeEndingWith } from './month-range';

describe('a range of months', () => {
  it.each([
    ['2026-06', '2026-11', 6],
    ['2026-06', '2026-06', 1],
    ['2024-12', '2026-11', 24],
  ])('from %s to %s has %i months', (from, to, months) => {
    const range = parseRange(from, to);
    expect(range).toEqual({ from, to });
    expect(range && lengthOf(range)).toBe(months);
  });

  it.each<[string | null, string | null, string]>([
    ['2024-11', '2026-11', 'too many'],
    ['2026-12', '2026-11', 'the wrong way round'],
    ['2026-13', '2027-01', 'no month'],
    ['2026-6', '2026-11', 'no month'],
    ['2026-06-01', '2026-11', 'a day'],
    ['', '2026-11', 'nothing'],
    [null, '2026-11', 'nothing'],
    ['2026-11', null, 'nothing'],
  ])('is not what %j and %j name: %s', (from, to, _flaw) => {
    expect(parseRange(from, to)).toBeUndefined();
  });

  it('goes over the end of a year in both directions', () => {
    expect(monthAfter('2025-12', 1)).toBe('2026-01');
    expect(monthAfter('2026-01', -1)).toBe('2025-12');
    expect(monthAfter('2026-03', -24)).toBe('2024-03');
    expect(rangeEndingWith('2026-01', 6)).toEqual({ from: '2025-08', to: '2026-01' });
  });

  it('knows months as UTC has them', () => {
    expect(monthAt(Date.parse('2026-10-31T23:30:00-04:00'))).toBe('2026-11');
  });
});
