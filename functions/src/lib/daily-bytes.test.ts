import { fakeClock } from '../../test/support/fake-clock';
import { dailyBytes } from './daily-bytes';

it('gives each owner its own bytes, and all of them again the next day', async () => {
  const clock = fakeClock();
  const take = dailyBytes(10, clock);
  expect([take('ada', 6), take('ada', 5), take('ada', 4), take('eve', 10)]).toEqual([true, false, true, true]);
  expect(take('ada', 1)).toBe(false);
  await clock.advance(24 * 3_600_000);
  expect([take('ada', 10), take('ada', 1)]).toEqual([true, false]);
});
