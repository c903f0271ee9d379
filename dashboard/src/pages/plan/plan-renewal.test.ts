import { renewalWords } from './plan-renewal';

const NOW_MS = Date.parse('2026-11-23T12:00:00Z');
const NOTHING = { status: 'active', renewsAt: null, endsAt: null, trialEndsAt: null };

describe('the renewal of a plan', () => {
  it.each([
    [{}, ''],
    [{ renewsAt: '2026-12-03T12:00:00Z' }, 'It renews on Dec 3, 2026.'],
    [{ endsAt: '2026-12-03T12:00:00Z' }, 'It was cancelled: it ends on Dec 3, 2026 and does not renew.'],
    [{ status: 'canceled', endsAt: '2026-11-03T12:00:00Z' }, 'It ended on Nov 3, 2026.'],
    [{ status: 'trialing', trialEndsAt: '2026-12-01T12:00:00Z' }, 'The trial ends on Dec 1, 2026.'],
    [
      { status: 'trialing', trialEndsAt: '2026-12-01T12:00:00Z', renewsAt: '2026-12-01T12:00:00Z' },
      'The trial ends on Dec 1, 2026. It renews on Dec 1, 2026.',
    ],
    [{ trialEndsAt: '2026-10-01T12:00:00Z', renewsAt: '2026-12-03T12:00:00Z' }, 'It renews on Dec 3, 2026.'],
  ])('of %j is told as “%s”', (change, words) => {
    expect(renewalWords({ ...NOTHING, ...change }, NOW_MS)).toBe(words);
  });
});
