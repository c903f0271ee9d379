import { fakeClock } from '../../../test/support/fake-clock';
import { Stragglers, type WatchedWave } from './ask-all';

const SECOND_MS = 1_000;

/** A wave of models of which nothing is known. */
function wave(calls: number): WatchedWave {
  return { lagMs: Array<number>(calls).fill(60_000), waveMs: 300_000, patient: false };
}

/** Plays a wave in which answers come after so many seconds; tells the second in which the rest was cut, if any was. */
async function cutSecond(watched: WatchedWave, answersAt: readonly number[]): Promise<number | undefined> {
  const clock = fakeClock();
  const watch = new Stragglers(clock, watched);
  for (let second = 0; second <= 600; second += 1) {
    for (const [call, at] of answersAt.entries()) if (at === second) watch.finished(call, true);
    await clock.advance(0);
    if (watch.signal.aborted) return second;
    await clock.advance(SECOND_MS);
  }
  return undefined;
}

describe('Stragglers', () => {
  it.each([
    { rule: 'never before a minute, however quick the others were', calls: 3, answersAt: [1, 1], cutAt: 60 },
    { rule: 'at twice the median where that is later', calls: 3, answersAt: [30, 40], cutAt: 80 },
    { rule: 'with two, one answer is enough', calls: 2, answersAt: [5], cutAt: 60 },
    { rule: 'with two, at twice the answer that came', calls: 2, answersAt: [45], cutAt: 90 },
    { rule: 'not below the quorum of three, while the wave has time', calls: 3, answersAt: [5], cutAt: 300 },
    { rule: 'not below the quorum of four, while the wave has time', calls: 4, answersAt: [5, 6], cutAt: 300 },
    { rule: 'at the end of the wave, even if twice the median is later', calls: 3, answersAt: [200, 200], cutAt: 300 },
    { rule: 'never when all have answered', calls: 2, answersAt: [1, 2], cutAt: undefined },
    { rule: 'never for one call alone', calls: 1, answersAt: [1], cutAt: undefined },
  ])('gives up on the rest $rule', async ({ calls, answersAt, cutAt }) => {
    expect(await cutSecond(wave(calls), answersAt)).toBe(cutAt);
  });

  it.each([
    { rule: 'as long as its own model may take', lagMs: [60_000, 60_000, 130_000], answersAt: [2, 2], cutAt: 130 },
    {
      rule: 'as long as the slowest that is still open',
      lagMs: [60_000, 60_000, 60_000, 60_000, 130_000, 90_000],
      answersAt: [2, 2, 2, 2],
      cutAt: 130,
    },
    {
      rule: 'not for the sake of one that has answered',
      lagMs: [60_000, 200_000, 60_000],
      answersAt: [2, 2],
      cutAt: 60,
    },
    { rule: 'no longer than the wave', lagMs: [60_000, 60_000, 390_000], answersAt: [2, 2], cutAt: 300 },
  ])('waits $rule', async ({ lagMs, answersAt, cutAt }) => {
    expect(await cutSecond({ ...wave(0), lagMs }, answersAt)).toBe(cutAt);
  });

  it.each([
    { rule: 'a quorum of one', quorum: 1, answersAt: [5], cutAt: 60 },
    { rule: 'a quorum of all: nobody is given up', quorum: 4, answersAt: [5, 6, 7], cutAt: 300 },
    { rule: 'a quorum above the size of this wave means all of it', quorum: 9, answersAt: [5, 6, 7], cutAt: 300 },
    { rule: 'a grace counts from the quorum’s answer', graceMs: 7_000, answersAt: [1, 2, 3], cutAt: 10 },
    {
      rule: 'a grace does not begin anew with the next answer',
      quorum: 2,
      graceMs: 7_000,
      answersAt: [1, 2, 6],
      cutAt: 9,
    },
    { rule: 'without grace the quorum ends the wave', quorum: 1, graceMs: 0, answersAt: [4], cutAt: 4 },
    { rule: 'a long grace is kept, too', quorum: 2, graceMs: 200_000, answersAt: [1, 2], cutAt: 202 },
    { rule: 'no grace goes beyond the wave', quorum: 1, graceMs: 400_000, answersAt: [1], cutAt: 300 },
  ])('the caller decides: $rule', async ({ answersAt, cutAt, rule: _, ...rule }) => {
    expect(await cutSecond({ ...wave(4), ...rule }, answersAt)).toBe(cutAt);
  });

  it('once the slow one is over, those that lag are not waited for any longer', async () => {
    const clock = fakeClock();
    const watch = new Stragglers(clock, { ...wave(6), lagMs: [...Array<number>(5).fill(60_000), 150_000] });
    await clock.advance(2 * SECOND_MS);
    for (const call of [0, 1, 2, 3]) watch.finished(call, true);
    await clock.advance(98 * SECOND_MS);
    expect(watch.signal.aborted).toBe(false);
    watch.finished(5, false);
    await clock.advance(0);
    expect(watch.signal.aborted).toBe(true);
  });

  it('a patient wave waits for its first answer beyond its time, and then for nobody', async () => {
    expect(await cutSecond({ ...wave(3), patient: true }, [350])).toBe(350);
  });

  it.each([
    { rule: 'while it waits for its turn, until the wave ends', servedAt: undefined, cutAt: 300 },
    { rule: 'before its time since its turn came', servedAt: 100, cutAt: 160 },
  ])('a call is not given up $rule', async ({ servedAt, cutAt }) => {
    const clock = fakeClock();
    const watch = new Stragglers(clock, wave(3));
    watch.waits(2, true);
    await clock.advance(SECOND_MS);
    for (const call of [0, 1]) watch.finished(call, true);
    for (let second = 1; second < cutAt; second += 1) {
      if (second === servedAt) watch.waits(2, false);
      await clock.advance(0);
      expect([second, watch.signal.aborted]).toEqual([second, false]);
      await clock.advance(SECOND_MS);
    }
    expect(watch.signal.aborted).toBe(true);
  });

  it('cuts nobody after the wave is over', async () => {
    const clock = fakeClock();
    const watch = new Stragglers(clock, wave(3));
    watch.finished(0, true);
    watch.finished(1, true);
    watch.stop();
    await clock.advance(500 * SECOND_MS);
    expect(watch.signal.aborted).toBe(false);
    expect(clock.pending).toBe(0);
  });
});
