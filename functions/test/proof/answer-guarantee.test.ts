import { STRATEGY_NAMES } from '../../src/ensemble/strategies/strategies';
import { isLongMode } from '../support/long-mode';
import fc from '../support/properties';
import { WIRES } from '../support/wires';
import { runSchedule, type ScheduleRun } from './run-schedule';
import { type Schedule, schedules } from './schedule';
import { ABLE, always, contributes, reaction, scheduleOf } from './schedule-builders';
import { bodyOf, panelOf } from './scheduled-panel';
import { HARD_STOP_MS, hasLeft, isDue, violations, violationsOverHttp } from './violations';
import { startVirtualService } from './virtual-service';

const SCHEDULES_A_STRATEGY = isLongMode ? 1_500 : 500;
const SCHEDULES_WITHOUT_LEDGER = isLongMode ? 700 : 250;
const SCHEDULES_AN_ENDPOINT = isLongMode ? 140 : 60;

/**
 * The promise, exactly. Whenever a participant answers every call within three seconds, the run ends with content
 * 525 s after its start at the latest, whatever every other model does; it is then itself the last one who can write
 * the answer. And an arbiter of that kind answers whenever anybody has contributed. Not promised: an answer in place
 * of one that broke off after the reader had seen some of it, or to a reader who has left or takes nothing more.
 * Otherwise: one error that names the models and why they failed, and nothing of what an upstream said.
 */
describe(`${SCHEDULES_A_STRATEGY} random schedules`, () => {
  it.each(STRATEGY_NAMES)(
    'of %s end with an answer where somebody can give one, else with one clear error',
    async (strategy) => {
      const met = { answered: 0, due: 0, refused: 0, left: 0, cutOff: 0 };
      await fc.assert(
        fc.asyncProperty(schedules({ strategy }), async (schedule) => {
          const played = await runSchedule(schedule);
          expect(violations(schedule, played)).toEqual([]);
          count(met, schedule, played);
        }),
        { numRuns: SCHEDULES_A_STRATEGY },
      );
      // The chance that a sound generator misses these is nil: they guard against one that tests nothing.
      expect(met.answered).toBeGreaterThan(SCHEDULES_A_STRATEGY / 6);
      expect(met.due).toBeGreaterThan(SCHEDULES_A_STRATEGY / 6);
      expect(met.refused).toBeGreaterThan(SCHEDULES_A_STRATEGY / 15);
      expect(met.left).toBeGreaterThan(SCHEDULES_A_STRATEGY / 30);
      expect(met.cutOff).toBeGreaterThan(SCHEDULES_A_STRATEGY / 60);
    },
    120_000,
  );

  it(`and ${SCHEDULES_WITHOUT_LEDGER} more whose ledger breaks down on the way leave nothing running and no silence`, async () => {
    const property = fc.asyncProperty(schedules(), fc.integer({ min: 1, max: 20 }), async (schedule, refusesFrom) => {
      const { flaws, outcome, content } = await runSchedule(schedule, refusesFrom);
      expect(flaws).toEqual([]);
      expect(outcome.ok ? content.trim() : outcome.fault.publicText).not.toBe('');
      if (!outcome.ok && outcome.fault.code === 'internal')
        expect(outcome.fault.publicText).toMatch(/^(Time limit reached: )?Internal server error$/);
    });
    await fc.assert(property, { numRuns: SCHEDULES_WITHOUT_LEDGER });
  }, 60_000);
});

describe(`${SCHEDULES_AN_ENDPOINT} random schedules over HTTP`, () => {
  it.each(WIRES)(
    'at $path end as promised, with a sign of life every ten seconds',
    async (wire) => {
      await using service = await startVirtualService();
      const property = fc.asyncProperty(schedules(), async (schedule) => {
        const seated = panelOf(schedule);
        const body = { ...bodyOf(schedule, seated), ...wire.prompt() };
        const exchange = await service.post(wire.path, body, { ...schedule, ...seated });
        expect(violationsOverHttp(schedule, seated, { exchange, wire })).toEqual([]);
      });
      await fc.assert(property, { numRuns: SCHEDULES_AN_ENDPOINT });
    },
    120_000,
  );
});

describe('the answer is given', () => {
  const dawdles = contributes(reaction('drips'));
  const justAble = { able: true, reactions: [reaction('answers', { afterMs: 2_900 })] };

  it.each([
    {
      rule: 'by the red team, when nobody else can',
      schedule: scheduleOf([contributes(reaction('fails')), ABLE], {
        strategy: 'red_team_blue_team',
        arbiter: always('fails'),
      }),
    },
    {
      rule: 'by the strategist whose plan could not be read, when nobody else can',
      schedule: scheduleOf([ABLE, contributes(reaction('fails')), always('fails')], {
        strategy: 'hierarchical',
        arbiter: always('fails'),
      }),
    },
    {
      rule: 'by an implementer whom the plan had left without work, when the others fail',
      schedule: scheduleOf([contributes(reaction('fails')), always('fails'), ABLE, always('fails')], {
        strategy: 'hierarchical',
        arbiter: always('fails'),
      }),
    },
    {
      rule: 'in one piece by the last of six, when the five before drip',
      schedule: scheduleOf([dawdles, dawdles, dawdles, dawdles, ABLE], { arbiter: dawdles }),
    },
    {
      rule: 'by the last of a large panel after a quick arbiter’s reserve is all that is left',
      schedule: scheduleOf([...Array(15).fill(contributes(reaction('hangs'))), justAble], {
        // Its judgement takes all the time there is above the reserve.
        arbiter: always('only lives'),
        includeExplanation: true,
        paceMs: 1_000,
      }),
    },
  ])('regression: $rule', async ({ schedule }) => {
    const played = await runSchedule(schedule);
    expect(violations(schedule, played)).toEqual([]);
    expect(played.outcome).toEqual({ ok: true });
  });
});

describe('the end of a run', () => {
  it('regression: at the time limit names the models too', async () => {
    const { outcome, elapsedMs } = await runSchedule(scheduleOf([ABLE], { arbiter: always('drips'), live: true }));
    expect(elapsedMs).toBe(HARD_STOP_MS);
    expect(outcome).toMatchObject({
      ok: false,
      fault: { publicText: 'Time limit reached: The answer was cut off: demo-arbiter (aborted)' },
    });
  });

  it('regression: a model that is silent after a slow reader has caught up is given up 90 s later', async () => {
    const schedule = scheduleOf([ABLE], { arbiter: always('goes silent'), live: true, readerPauseMs: 200_000 });
    const { outcome, elapsedMs } = await runSchedule(schedule);
    // One second for the draft, one for the text, 200 for the reader, 90 of silence.
    expect(elapsedMs).toBe(292_000);
    expect(outcome).toMatchObject({
      ok: false,
      fault: { publicText: 'The answer was cut off: demo-arbiter (timeout)' },
    });
  });
});

function count(met: Record<string, number>, schedule: Schedule, played: ScheduleRun): void {
  const { outcome, elapsedMs } = played;
  const note = (name: string, is: boolean): void => {
    if (is) met[name] = (met[name] ?? 0) + 1;
  };
  note('answered', outcome.ok);
  note('due', isDue(schedule, { ...played, shown: played.content }));
  note('refused', !outcome.ok);
  note('left', hasLeft(schedule, elapsedMs));
  note('cutOff', !outcome.ok && outcome.fault.publicText.includes('cut off'));
}
