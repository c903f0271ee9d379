import { fakeClock } from '../../../test/support/fake-clock';
import type { Leeway } from '../deadline/answer-times';
import { Stragglers, type WatchedWave } from './stragglers';

const SECOND_MS = 1_000;

const PLAIN: Leeway = { leastMs: 15_000, times: 2 };
const THINKING: Leeway = { leastMs: 45_000, times: 4 };

/** A wave of models of which nothing is known. */
function wave(calls: number): WatchedWave {
  return { leeways: Array<Leeway>(calls).fill(PLAIN), slowestMs: 0, waveMs: 300_000, patient: false };
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
  /** That of the last call's model. */
  readonly last?: Leeway;
  readonly answersAt: readonly number[];
  readonly cutAt?: number;
}

describe('Stragglers', () => {
  it.each<Row>([
    { rule: 'after 15 s, however quick the others were', calls: 3, answersAt: [1, 1], cutAt: 15 },
    { rule: 'at twice the slowest where that is later', calls: 3, answersAt: [10, 20], cutAt: 40 },
    { rule: 'at twice the slowest that answered since', calls: 4, answersAt: [5, 6, 14], cutAt: 28 },
    { rule: 'with two, at twice the one answer', calls: 2, answersAt: [45], cutAt: 90 },
    { rule: 'after 45 s where it thinks', calls: 2, last: THINKING, answersAt: [2], cutAt: 45 },
    { rule: 'at four times the slowest where it thinks', calls: 3, last: THINKING, answersAt: [2, 20], cutAt: 80 },
    { rule: 'after four minutes where it thinks', calls: 3, last: THINKING, answersAt: [2, 80], cutAt: 240 },
    {
      rule: 'when its own model may take no longer',
      calls: 3,
      last: { ...PLAIN, leastMs: 130_000 },
      answersAt: [2, 2],
      cutAt: 130,
    },
    { rule: 'not below the quorum of three, while the wave has time', calls: 3, answersAt: [5], cutAt: 300 },
    { rule: 'not below the quorum of four, while the wave has time', calls: 4, answersAt: [5, 6], cutAt: 300 },
    {
      rule: 'not below the quorum of 16, while the wave has time',
      calls: 16,
      answersAt: Array(10).fill(5),
      cutAt: 300,
    },
    { rule: 'of 16 after eleven', calls: 16, answersAt: Array(11).fill(5), cutAt: 15 },
    { rule: 'at the end of the wave, even if twice the slowest is later', calls: 3, answersAt: [200, 200], cutAt: 300 },
    {
      rule: 'no later than the wave ends',
      calls: 3,
      last: { ...PLAIN, leastMs: 390_000 },
      answersAt: [2, 2],
      cutAt: 300,
    },
    { rule: 'never when all have answered', calls: 2, answersAt: [1, 2] },
    { rule: 'never for one call alone', calls: 1, answersAt: [1] },
    { rule: 'of one call alone that never answers, when the wave ends', calls: 1, answersAt: [], cutAt: 300 },
    {
      rule: 'without a quorum, by what earlier waves took',
      calls: 1,
      quorum: 0,
      slowestMs: 20_000,
      answersAt: [],
      cutAt: 40,
    },
    { rule: 'when the wave ends, if all hang', calls: 16, answersAt: [], cutAt: 300 },
    { rule: 'after a quorum of one', calls: 4, quorum: 1, answersAt: [5], cutAt: 15 },
    { rule: 'never with a quorum of all', calls: 4, quorum: 4, answersAt: [5, 6, 7], cutAt: 300 },
    { rule: 'never with a quorum above the size of the wave', calls: 4, quorum: 9, answersAt: [5, 6, 7], cutAt: 300 },
    { rule: 'a grace after the quorum’s answer', calls: 4, graceMs: 7_000, answersAt: [1, 2, 3], cutAt: 10 },
    { rule: 'no grace after the next', calls: 4, quorum: 2, graceMs: 7_000, answersAt: [1, 2, 6], cutAt: 9 },
    { rule: 'at once without grace', calls: 4, quorum: 1, graceMs: 0, answersAt: [4], cutAt: 4 },
    { rule: 'a long grace later', calls: 4, quorum: 2, graceMs: 200_000, answersAt: [1, 2], cutAt: 202 },
    { rule: 'before a grace that ends later', calls: 4, quorum: 1, graceMs: 400_000, answersAt: [1], cutAt: 300 },
    { rule: 'after the first answer where the wave is patient', calls: 3, patient: true, answersAt: [350], cutAt: 350 },
  ])('gives up on the rest $rule', async ({ calls, answersAt, cutAt, rule: _, last = PLAIN, ...rule }) => {
    const leeways = [...wave(calls - 1).leeways, last];
    expect(await cutSecond({ ...wave(0), leeways, ...rule }, answersAt)).toBe(cutAt);
  });

  it('once the slow one is over, those that lag are not waited for any longer', async () => {
    const clock = fakeClock();
    const watch = new Stragglers(clock, { ...wave(0), leeways: [...wave(5).leeways, THINKING] });
    await clock.advance(2 * SECOND_MS);
    for (const call of [0, 1, 2, 3]) watch.finished(call, true);
    await clock.advance(30 * SECOND_MS);
    expect(watch.signal.aborted).toBe(false);
    watch.finished(5, false);
    await clock.advance(0);
    expect(watch.signal.aborted).toBe(true);
  });

  it('calls that failed are none to wait for: of the two left, one is the quorum', async () => {
    const clock = fakeClock();
    const watch = new Stragglers(clock, wave(3));
    watch.finished(0, false);
    await clock.advance(2 * SECOND_MS);
    watch.finished(1, true);
    await clock.advance(12_999);
    expect(watch.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(watch.signal.aborted).toBe(true);
  });

  it.each([
    { rule: 'while it waits for its turn, until the wave ends', servedAt: undefined, cutAt: 300 },
    { rule: 'before its time since its turn came', servedAt: 100, cutAt: 115 },
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

  it('the slowest is so by its own time: what it waited for its turn gives others no more', async () => {
    const clock = fakeClock();
    const watch = new Stragglers(clock, wave(3));
    for (const call of [0, 1]) watch.waits(call, true);
    await clock.advance(40 * SECOND_MS);
    for (const call of [0, 1]) watch.waits(call, false);
    await clock.advance(3 * SECOND_MS);
    for (const call of [0, 1]) watch.finished(call, true);
    await clock.advance(0);
    expect([watch.slowestMs, watch.signal.aborted]).toEqual([3_000, true]);
  });

  it.each([-3_600_000, 3_600_000])('a clock that is set by %d ms changes nothing', async (byMs) => {
    const clock = fakeClock();
    const watch = new Stragglers(clock, wave(3));
    await clock.advance(SECOND_MS);
    clock.setBack(byMs);
    for (const call of [0, 1]) watch.finished(call, true);
    await clock.advance(13_999);
    expect(watch.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(watch.signal.aborted).toBe(true);
  });

  it('calls that can change nothing have a second, also below the quorum', async () => {
    const clock = fakeClock();
    const watch = new Stragglers(clock, wave(5));
    for (const call of [0, 1, 2]) watch.finished(call, true);
    watch.settle();
    await clock.advance(999);
    expect(watch.signal.aborted).toBe(false);
    await clock.advance(1);
    expect([watch.signal.aborted, watch.signal.reason]).toEqual([true, 'most have given the same answer']);
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
