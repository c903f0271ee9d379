import { fakeClock } from '../../../test/support/fake-clock';
import { answerReserveMs, Deadline, type Schedule } from './deadline';

/** A run of three waves whose arbiter only answers. */
function startRun(schedule: Partial<Schedule> = {}) {
  const clock = fakeClock();
  const plan = { waves: 3, judges: false, reserveMs: () => 120_000, ...schedule };
  return { clock, deadline: new Deadline(clock, clock.nowMs(), plan) };
}

it('a run shares what the reserve leaves equally among the waves left', async () => {
  const { clock, deadline } = startRun();
  // 525 s in all, 120 s kept: 405 s for three waves.
  expect(deadline.nextWaveMs({ needed: false })).toBe(135_000);
  await clock.advance(205_000);
  expect(deadline.nextWaveMs({ needed: false })).toBe(100_000);
  // One wave is left: it gets all.
  expect(deadline.nextWaveMs({ needed: false })).toBe(200_000);
});

it.each([
  // 405 s for 21 waves are 19.3 s each.
  { rule: 'half a minute', needed: false, afterMs: 0, budgetMs: 30_000 },
  { rule: 'two minutes when the run cannot do without it', needed: true, afterMs: 0, budgetMs: 120_000 },
  { rule: 'as long as its models may think', needed: false, patienceMs: 300_000, afterMs: 0, budgetMs: 300_000 },
  { rule: 'never more than is spare', needed: true, afterMs: 395_000, budgetMs: 10_000 },
])('one of many waves has at least $rule', async ({ needed, afterMs, budgetMs, patienceMs = 0 }) => {
  const { clock, deadline } = startRun({ waves: 21 });
  await clock.advance(afterMs);
  expect(deadline.nextWaveMs({ needed, patienceMs })).toBe(budgetMs);
});

it('a round starts only with 1.2 times the last round left above the reserve', async () => {
  const { clock, deadline } = startRun();
  await clock.advance(285_000);
  // 240 s left, 120 s of them reserved: a round of 100 s needs 120 s.
  expect([deadline.fitsRound(100_000), deadline.fitsRound(100_001)]).toEqual([true, false]);
});

it.each([-3_600_000, 3_600_000])('a clock that is set by %d ms changes nothing', async (byMs) => {
  const { clock, deadline } = startRun();
  await clock.advance(25_000);
  clock.setBack(byMs);
  expect(deadline.remainingMs()).toBe(500_000);
});

it('what it took from the request to the run is gone', async () => {
  const clock = fakeClock();
  const startedMs = clock.nowMs();
  await clock.advance(5_000);
  const plan = { waves: 1, judges: false, reserveMs: () => 0 };
  expect(new Deadline(clock, startedMs, plan).remainingMs()).toBe(520_000);
});

it('a wave keeps what the answer is known to need by then', () => {
  let reserveMs = 120_000;
  const { deadline } = startRun({ waves: 2, reserveMs: () => reserveMs });
  expect(deadline.nextWaveMs({ needed: false })).toBe(202_500);
  reserveMs = 60_000;
  expect(deadline.nextWaveMs({ needed: false })).toBe(465_000);
});

it('a judgement has what is left above the reserve of the answer, and nothing is ever negative', async () => {
  const { clock, deadline } = startRun({ judges: true });
  await clock.advance(400_000);
  expect(deadline.judgementMs()).toBe(5_000);
  await clock.advance(200_000);
  expect([deadline.remainingMs(), deadline.judgementMs(), deadline.nextWaveMs({ needed: true })]).toEqual([0, 0, 0]);
});

it.each([
  { p95: undefined, thinks: false, reserveMs: 120_000 },
  { p95: 90_000, thinks: false, reserveMs: 90_000 },
  { p95: 2_000, thinks: false, reserveMs: 60_000 },
  { p95: 400_000, thinks: false, reserveMs: 150_000 },
  { p95: undefined, thinks: true, reserveMs: 240_000 },
  { p95: 20_000, thinks: true, reserveMs: 60_000 },
  { p95: 200_000, thinks: true, reserveMs: 200_000 },
  { p95: 400_000, thinks: true, reserveMs: 240_000 },
])('an author whose pace is $p95, and who thinks: $thinks, has $reserveMs ms kept', ({ p95, thinks, reserveMs }) => {
  expect(answerReserveMs(p95, thinks)).toBe(reserveMs);
});
