import { fakeClock } from '../../../test/support/fake-clock';
import { type WatchedWave, watchStragglers } from './stragglers';

function wave(calls: number): WatchedWave {
  return { patienceMs: Array<number>(calls).fill(0), waveMs: 300_000, patient: false };
}

describe('watchStragglers', () => {
  it('gives up on the rest at twice the median once two thirds have answered', async () => {
    const clock = fakeClock();
    const watch = watchStragglers(clock, wave(3));
    await clock.advance(15_000);
    watch.finished(0, true);
    await clock.advance(5_000);
    watch.finished(1, true);
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
    watch.finished(0, true);
    watch.finished(1, true);
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
    for (let answer = 0; answer < answers; answer += 1) watch.finished(answer, true);
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
    watch.finished(0, true);
    expect(watch.signal.aborted).toBe(true);
  });

  it('a patient wave with an answer ends in time', async () => {
    const clock = fakeClock();
    const watch = watchStragglers(clock, { ...wave(3), patient: true });
    await clock.advance(10_000);
    watch.finished(0, true);
    await clock.advance(289_999);
    expect(watch.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(watch.signal.aborted).toBe(true);
  });

  it('cuts nobody after the wave is over', async () => {
    const clock = fakeClock();
    const watch = watchStragglers(clock, wave(3));
    watch.finished(0, true);
    watch.finished(1, true);
    watch.stop();
    await clock.advance(500_000);
    expect(watch.signal.aborted).toBe(false);
    expect(clock.pending).toBe(0);
  });

  it('one that thinks is waited for as long as it may think, however quick the others were', async () => {
    const clock = fakeClock();
    const watch = watchStragglers(clock, { ...wave(4), patienceMs: [0, 0, 0, 150_000] });
    await clock.advance(2_000);
    for (const call of [0, 1, 2]) watch.finished(call, true);
    await clock.advance(147_999);
    expect(watch.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(watch.signal.aborted).toBe(true);
  });

  it.each([
    ['answered', true],
    ['failed', false],
  ])('once the one that thinks has %s, quick ones that lag are not waited for any longer', async (_, answered) => {
    const clock = fakeClock();
    const watch = watchStragglers(clock, { ...wave(6), patienceMs: [0, 0, 0, 0, 0, 150_000] });
    await clock.advance(2_000);
    for (const call of [0, 1, 2, 3]) watch.finished(call, true);
    await clock.advance(48_000);
    expect(watch.signal.aborted).toBe(false);
    watch.finished(5, answered);
    await clock.advance(0);
    expect(watch.signal.aborted).toBe(true);
  });

  it('one that thinks has no longer than its wave', async () => {
    const clock = fakeClock();
    const watch = watchStragglers(clock, { patienceMs: [0, 0, 300_000], waveMs: 40_000, patient: false });
    watch.finished(0, true);
    watch.finished(1, true);
    await clock.advance(40_000);
    expect(watch.signal.aborted).toBe(true);
  });
});
