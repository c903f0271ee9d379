import { keyStatus } from './key-status';

const NOW_MS = Date.UTC(2026, 0, 15, 12);
const HOUR_MS = 3_600_000;
const key = (fields: object) => ({ state: 'active' as const, expiresAt: null, spentUsd: 0, ...fields });
const inHours = (hours: number) => ({ expiresAt: new Date(NOW_MS + hours * HOUR_MS).toISOString() });

describe('the status of a key', () => {
  it.each([
    [key({}), 'good', 'Active'],
    [key(inHours(24 * 14)), 'good', 'Active'],
    [key(inHours(24 * 5 + 1)), 'warn', 'Expires in 5 days'],
    [key(inHours(47.9)), 'warn', 'Expires in 1 day'],
    [key({ state: 'rotating', ...inHours(23.9) }), 'warn', 'Ends in 23 hours'],
    [key({ state: 'rotating', ...inHours(-1) }), 'warn', 'Ends in 1 minute'],
    [key({ state: 'expired', ...inHours(-1) }), 'neutral', 'Expired'],
    [key({ state: 'revoked' }), 'neutral', 'Revoked'],
    [key({ state: 'inactive' }), 'bad', 'Switched off'],
    [key({ budgetUsd: 2, spentUsd: 1.99 }), 'good', 'Active'],
    [key({ budgetUsd: 2, spentUsd: 2 }), 'bad', 'Budget reached'],
    [key({ budgetUsd: 2, spentUsd: 2, ...inHours(5) }), 'bad', 'Budget reached'],
  ])('of %j is %s: %s', (given, tone, text) => {
    expect(keyStatus(given, NOW_MS)).toEqual({ tone, text });
  });
});
