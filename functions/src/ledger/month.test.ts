import { monthOf, monthStartMs, monthsBetween } from './month';

const at = (text: string) => Date.parse(text);

describe('months', () => {
  it('are UTC months, to the millisecond', () => {
    expect(monthOf(at('2026-03-31T23:59:59.999Z'))).toBe('2026-03');
    expect(monthOf(at('2026-04-01T00:00:00Z'))).toBe('2026-04');
    expect(monthOf(at('2026-04-01T01:00:00+02:00'))).toBe('2026-03');
  });

  it('begin at midnight of their first day, also across a year', () => {
    const start = (months?: number) => new Date(monthStartMs(at('2026-12-31T23:59:59.999Z'), months)).toISOString();
    expect([start(), start(1), start(-12)]).toEqual([
      '2026-12-01T00:00:00.000Z',
      '2027-01-01T00:00:00.000Z',
      '2025-12-01T00:00:00.000Z',
    ]);
  });

  it('between two moments are all that the range touches, oldest first, both ends included', () => {
    const between = (start: string, end: string) => monthsBetween(at(start), at(end));
    expect(between('2026-11-30T23:59:59.999Z', '2027-01-01T00:00:00Z')).toEqual(['2026-11', '2026-12', '2027-01']);
    expect(between('2026-11-30T00:00:00Z', '2026-12-31T23:59:59.999Z')).toEqual(['2026-11', '2026-12']);
    expect(between('2026-05-10T00:00:00Z', '2026-05-10T00:00:00Z')).toEqual(['2026-05']);
    expect(between('2026-05-10T00:00:00Z', '2026-04-30T00:00:00Z')).toEqual([]);
  });
});
