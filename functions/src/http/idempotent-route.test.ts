import { fakeClock } from '../../test/support/fake-clock';
import { dailyBytes } from './idempotent-route';

it('200 MB of replies are kept of a user in a UTC day', async () => {
  const clock = fakeClock(Date.UTC(2026, 0, 1, 23));
  const take = dailyBytes(clock);
  expect([take('ann', 200_000_000), take('ann', 1), take('bob', 200_000_001), take('bob', 1)]).toEqual([
    true,
    false,
    false,
    true,
  ]);
  await clock.advance(3_600_000);
  expect(take('ann', 1)).toBe(true);
});
