import { fakeClock } from '../../test/support/fake-clock';
import { DailyBytes } from './daily-bytes';

const HOUR_MS = 3_600_000;

describe('DailyBytes', () => {
  it('gives each owner its own, and all of it again a day after the first', async () => {
    const clock = fakeClock();
    const bytes = new DailyBytes(10, clock);
    expect([bytes.take('ada', 6), bytes.take('ada', 5), bytes.take('ada', 4), bytes.take('eve', 10)]).toEqual([
      true,
      false,
      true,
      true,
    ]);
    await clock.advance(24 * HOUR_MS - 1);
    expect(bytes.take('ada', 1)).toBe(false);
    await clock.advance(1);
    expect([bytes.take('ada', 10), bytes.take('ada', 1)]).toEqual([true, false]);
  });
});
