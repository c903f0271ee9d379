import { expiresAtOf, expiryOf, NEVER } from './expiry';

const NOW_MS = Date.UTC(2026, 0, 15, 12);

describe('the end of a key', () => {
  it.each([
    ['never', undefined],
    ['30', '2026-02-14T12:00:00.000Z'],
    ['90', '2026-04-15T12:00:00.000Z'],
    ['365', '2027-01-15T12:00:00.000Z'],
  ] as const)('chosen as %s is %s', (choice, moment) => {
    expect(expiresAtOf({ choice, day: '' }, NOW_MS)).toBe(moment);
  });

  it('on a date is the end of that day where the reader is', () => {
    const moment = expiresAtOf({ choice: 'date', day: '2026-02-28' }, NOW_MS);
    expect(moment).toBe(new Date(2026, 2, 1).toISOString());
  });

  it.each(['', '2026-2-1', 'tomorrow'])('is none on the day %j', (day) => {
    expect(expiresAtOf({ choice: 'date', day }, NOW_MS)).toBeNull();
  });

  it('is shown as the day that was chosen', () => {
    expect(expiryOf(null)).toEqual(NEVER);
    const chosen = { choice: 'date', day: '2026-12-31' } as const;
    expect(expiryOf(expiresAtOf(chosen, NOW_MS) ?? null)).toEqual(chosen);
  });
});
