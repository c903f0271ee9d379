import { fakeClock } from '../../test/support/fake-clock';
import { Deadline } from './deadline';

describe('Deadline', () => {
  it('shares what the reserve leaves equally among the waves left', async () => {
    const clock = fakeClock();
    const deadline = new Deadline(clock, clock.nowMs(), 120_000);
    // 525 s in all, 120 s kept: 405 s for three waves.
    expect(deadline.waveBudgetMs(3)).toBe(135_000);
    await clock.advance(205_000);
    expect(deadline.waveBudgetMs(2)).toBe(100_000);
    expect(deadline.remainingMs()).toBe(320_000);
  });

  it('lets a round start only with 1.2 times the last round left above the reserve', async () => {
    const clock = fakeClock();
    const deadline = new Deadline(clock, clock.nowMs(), 120_000);
    await clock.advance(285_000);
    // 240 s left, 120 s of them reserved: a round of 100 s needs 120 s.
    expect(deadline.fitsRound(100_000)).toBe(true);
    expect(deadline.fitsRound(100_001)).toBe(false);
  });

  it('keeps the answer’s 120 s from the analysis, and never goes below zero', async () => {
    const clock = fakeClock();
    const deadline = new Deadline(clock, clock.nowMs(), 165_000);
    await clock.advance(400_000);
    expect(deadline.analysisBudgetMs()).toBe(5_000);
    await clock.advance(200_000);
    expect([deadline.remainingMs(), deadline.analysisBudgetMs(), deadline.waveBudgetMs(1)]).toEqual([0, 0, 0]);
  });
});
