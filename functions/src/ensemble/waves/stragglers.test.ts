import { fakeClock } from '../../../test/support/fake-clock';
import { type WatchedWave, watchStragglers } from './stragglers';

function wave(calls: number): WatchedWave {
  return { calls, waveMs: 300_000, patient: false };
}

describe('watchStragglers', () => {
  it('gives up on the rest at twice the median once two thirds have answered', async () => {
    const clock = fakeClock();
    const watch = watchStragglers(clock, wave(3));
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
    const watch = watchStragglers(clock, wave(3));
    await clock.advance(1_000);
    watch.finished();
    watch.finished();
    await clock.advance(18_999);
    expect(watch.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(watch.signal.aborted).toBe(true);
  });

  it.each([
    ['below the quorum, while the wave has time', 3, 1],
    ['when all have answered', 2, 2],
  ])('cuts nobody %s', async (_, calls, answers) => {
    const clock = fakeClock();
    const watch = watchStragglers(clock, wave(calls));
    for (let answer = 0; answer < answers; answer += 1) watch.finished();
    await clock.advance(299_999);
    expect(watch.signal.aborted).toBe(false);
  });

  it('gives up on all that are open when the wave’s time is over', async () => {
    const clock = fakeClock();
    const watch = watchStragglers(clock, wave(3));
    await clock.advance(299_999);
    expect(watch.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(watch.signal.aborted).toBe(true);
  });

  it('a patient wave waits for its first answer beyond its time, and then for nobody', async () => {
    const clock = fakeClock();
    const watch = watchStragglers(clock, { ...wave(3), patient: true });
    await clock.advance(350_000);
    expect(watch.signal.aborted).toBe(false);
    watch.finished();
    expect(watch.signal.aborted).toBe(true);
  });

  it('a patient wave with an answer ends in time', async () => {
    const clock = fakeClock();
    const watch = watchStragglers(clock, { ...wave(3), patient: true });
    await clock.advance(10_000);
    watch.finished();
    await clock.advance(289_999);
    expect(watch.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(watch.signal.aborted).toBe(true);
  });

  it('cuts nobody after the wave is over', async () => {
    const clock = fakeClock();
    const watch = watchStragglers(clock, wave(3));
    watch.finished();
    watch.finished();
    watch.stop();
    await clock.advance(500_000);
    expect(watch.signal.aborted).toBe(false);
    expect(clock.pending).toBe(0);
  });
});
