import { fakeClock } from '../../test/support/fake-clock';
import { watchStragglers } from './stragglers';

describe('watchStragglers', () => {
  it('gives up on the rest at twice the median once two thirds have answered', async () => {
    const clock = fakeClock();
    const watch = watchStragglers(clock, 3);
    await clock.advance(15_000);
    watch.finished();
    await clock.advance(5_000);
    watch.finished();
    // Answers after 15 s and 20 s: the median taken is 20 s, the cut is at 40 s.
    await clock.advance(19_999);
    expect(watch.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(watch.signal.aborted).toBe(true);
  });

  it('never cuts a wave before 20 s', async () => {
    const clock = fakeClock();
    const watch = watchStragglers(clock, 3);
    await clock.advance(1_000);
    watch.finished();
    watch.finished();
    await clock.advance(18_999);
    expect(watch.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(watch.signal.aborted).toBe(true);
  });

  it.each([
    ['below the quorum', 3, 1],
    ['when all have answered', 2, 2],
  ])('cuts nobody %s', async (_, calls, answers) => {
    const clock = fakeClock();
    const watch = watchStragglers(clock, calls);
    for (let answer = 0; answer < answers; answer += 1) watch.finished();
    await clock.advance(500_000);
    expect(watch.signal.aborted).toBe(false);
  });

  it('cuts nobody after the wave is over', async () => {
    const clock = fakeClock();
    const watch = watchStragglers(clock, 3);
    watch.finished();
    watch.finished();
    watch.stop();
    await clock.advance(500_000);
    expect(watch.signal.aborted).toBe(false);
    expect(clock.pending).toBe(0);
  });
});
