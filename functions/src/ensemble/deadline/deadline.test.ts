import { fakeClock } from '../../../test/support/fake-clock';
import { Deadline, type Schedule } from './deadline';

/** A run of three waves whose arbiter only answers; its pace is unknown. */
function startRun(schedule: Partial<Schedule> = {}) {
  const clock = fakeClock();
  const plan = { waves: 3, judges: false, answerP95Ms: () => undefined, ...schedule };
  return { clock, deadline: new Deadline(clock, clock.nowMs(), plan) };
}

describe('Deadline', () => {
  it('shares what the reserve leaves equally among the waves left', async () => {
    const { clock, deadline } = startRun();
    // 525 s in all, 120 s kept: 405 s for three waves.
    expect(deadline.nextWaveMs({ needed: false })).toBe(135_000);
    await clock.advance(205_000);
    expect(deadline.nextWaveMs({ needed: false })).toBe(100_000);
    expect(deadline.remainingMs()).toBe(320_000);
    // One wave is left: it gets all.
    expect(deadline.nextWaveMs({ needed: false })).toBe(200_000);
  });

  it.each([
    // 405 s for 21 waves are 19.3 s each.
    { rule: 'half a minute', needed: false, afterMs: 0, budgetMs: 30_000 },
    { rule: 'two minutes when the run cannot do without it', needed: true, afterMs: 0, budgetMs: 120_000 },
    { rule: 'as long as its models may think', needed: false, patienceMs: 300_000, afterMs: 0, budgetMs: 300_000 },
    { rule: 'never more than is spare', needed: false, afterMs: 395_000, budgetMs: 10_000 },
    { rule: 'never more than is spare, also when needed', needed: true, afterMs: 395_000, budgetMs: 10_000 },
  ])('gives one of many waves at least $rule', async ({ needed, afterMs, budgetMs, patienceMs = 0 }) => {
    const { clock, deadline } = startRun({ waves: 21 });
    await clock.advance(afterMs);
    expect(deadline.nextWaveMs({ needed, patienceMs })).toBe(budgetMs);
  });

  it('lets a round start only with 1.2 times the last round left above the reserve', async () => {
    const { clock, deadline } = startRun();
    await clock.advance(285_000);
    // 240 s left, 120 s of them reserved: a round of 100 s needs 120 s.
    expect(deadline.fitsRound(100_000)).toBe(true);
    expect(deadline.fitsRound(100_001)).toBe(false);
  });

  it.each([
    { pace: 'unknown', p95: undefined, reserveMs: 240_000 },
    { pace: 'quick all the same', p95: 20_000, reserveMs: 60_000 },
    { pace: '200 s', p95: 200_000, reserveMs: 200_000 },
    { pace: 'slower than can be waited for', p95: 400_000, reserveMs: 240_000 },
  ])('keeps up to four minutes for an author who thinks, whose pace is $pace', ({ p95, reserveMs }) => {
    const { deadline } = startRun({ answerThinks: true, answerP95Ms: () => p95 });
    expect(deadline.answerReserveMs()).toBe(reserveMs);
  });

  it('keeps 45 s more for an arbiter that judges first', () => {
    expect(startRun({ judges: true }).deadline.spareMs()).toBe(360_000);
    expect(startRun({ judges: false }).deadline.spareMs()).toBe(405_000);
  });

  it('keeps the answer’s 120 s from the judgement, and never goes below zero', async () => {
    const { clock, deadline } = startRun({ judges: true });
    await clock.advance(400_000);
    expect(deadline.judgementMs()).toBe(5_000);
    await clock.advance(200_000);
    expect([deadline.remainingMs(), deadline.judgementMs(), deadline.nextWaveMs({ needed: true })]).toEqual([0, 0, 0]);
  });

  it.each([
    { rule: 'its 95th percentile', answerP95Ms: 90_000, reserveMs: 90_000 },
    { rule: 'no less than a minute', answerP95Ms: 2_000, reserveMs: 60_000 },
    { rule: 'no more than two and a half', answerP95Ms: 400_000, reserveMs: 150_000 },
  ])('keeps for an author whose pace is known $rule', ({ answerP95Ms, reserveMs }) => {
    const { deadline } = startRun({ answerP95Ms: () => answerP95Ms });
    expect(deadline.answerReserveMs()).toBe(reserveMs);
    expect(deadline.judgementMs()).toBe(525_000 - reserveMs);
    expect(deadline.nextWaveMs({ needed: false })).toBe((525_000 - reserveMs) / 3);
  });
});
