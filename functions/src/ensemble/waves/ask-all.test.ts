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

interface Row extends Partial<WatchedWave> {
  readonly rule: string;
  readonly calls: number;
  /** Time of the last call's model. */
  readonly slowMs?: number;
  readonly answersAt: readonly number[];
  readonly cutAt?: number;
}

describe('Stragglers', () => {
  it.each<Row>([
    { rule: 'never before a minute, however quick the others were', calls: 3, answersAt: [1, 1], cutAt: 60 },
    { rule: 'at twice the median where that is later', calls: 3, answersAt: [30, 40], cutAt: 80 },
    { rule: 'with two, at twice the one answer', calls: 2, answersAt: [45], cutAt: 90 },
    { rule: 'not below the quorum of three, while the wave has time', calls: 3, answersAt: [5], cutAt: 300 },
    { rule: 'not below the quorum of four, while the wave has time', calls: 4, answersAt: [5, 6], cutAt: 300 },
    { rule: 'at the end of the wave, even if twice the median is later', calls: 3, answersAt: [200, 200], cutAt: 300 },
    { rule: 'never when all have answered', calls: 2, answersAt: [1, 2] },
    { rule: 'never for one call alone', calls: 1, answersAt: [1] },
    { rule: 'when its own model may take no longer', calls: 3, slowMs: 130_000, answersAt: [2, 2], cutAt: 130 },
    { rule: 'no later than the wave ends', calls: 3, slowMs: 390_000, answersAt: [2, 2], cutAt: 300 },
    { rule: 'after a quorum of one', calls: 4, quorum: 1, answersAt: [5], cutAt: 60 },
    { rule: 'never with a quorum of all', calls: 4, quorum: 4, answersAt: [5, 6, 7], cutAt: 300 },
    { rule: 'never with a quorum above the size of the wave', calls: 4, quorum: 9, answersAt: [5, 6, 7], cutAt: 300 },
    { rule: 'a grace after the quorum’s answer', calls: 4, graceMs: 7_000, answersAt: [1, 2, 3], cutAt: 10 },
    { rule: 'no grace after the next', calls: 4, quorum: 2, graceMs: 7_000, answersAt: [1, 2, 6], cutAt: 9 },
    { rule: 'at once without grace', calls: 4, quorum: 1, graceMs: 0, answersAt: [4], cutAt: 4 },
    { rule: 'a long grace later', calls: 4, quorum: 2, graceMs: 200_000, answersAt: [1, 2], cutAt: 202 },
    {
      rule: 'before a grace that ends after the wave',
      calls: 4,
      quorum: 1,
      graceMs: 400_000,
      answersAt: [1],
      cutAt: 300,
    },
    { rule: 'after the first answer where the wave is patient', calls: 3, patient: true, answersAt: [350], cutAt: 350 },
  ])('gives up on the rest $rule', async ({ calls, answersAt, cutAt, rule: _, slowMs = 60_000, ...rule }) => {
    const lagMs = [...wave(calls - 1).lagMs, slowMs];
    expect(await cutSecond({ ...wave(0), lagMs, ...rule }, answersAt)).toBe(cutAt);
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
