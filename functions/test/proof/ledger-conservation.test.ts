import { STRATEGY_NAMES } from '../../src/ensemble/strategies/strategies';
import { type Reply, sendEvents, underControl } from '../support/fake-upstream';
import fc from '../support/properties';
import { WIRES } from '../support/wires';
import { startBilledService } from './billed-service';
import { runSchedule } from './run-schedule';
import { type Schedule, schedules } from './schedule';
import { always, reaction, scheduleOf } from './schedule-builders';
import { geminiPiece, OPENAI, readUntil, startUpstreamApp, thenCut } from './upstream-app';

const SCHEDULES_A_STRATEGY = 40;
/** Longer than the tokens that are billed for it: an estimate would be more. */
const LONG = 'A tomato is a berry, and so it is a fruit.';

/**
 * Three accounts of every request: what the upstream billed, what the client was told, what is stored. Each call's
 * charge is the upstream's last report where that came after all the text, else an estimate that is marked as one.
 */
describe('what was billed is what is told and what is stored', () => {
  it.each(STRATEGY_NAMES)(
    'to the token and the nano-dollar, in %s under every fault and by every protocol',
    async (strategy) => {
      await using service = await startBilledService();
      const property = fc.asyncProperty(schedules({ strategy }), fc.constantFrom(...WIRES), async (schedule, wire) => {
        const { flaws } = await service.run(schedule, wire);
        expect(flaws).toEqual([]);
      });
      await fc.assert(property, { numRuns: SCHEDULES_A_STRATEGY });
      expect(await service.audit()).toEqual([]);
    },
    120_000,
  );

  it.each(STRATEGY_NAMES)(
    'when the client leaves in any phase of %s',
    async (strategy) => {
      await using service = await startBilledService();
      // Every call takes 4 to 8 s; a word a second, and with each of them a report.
      const steady = always('answers', { afterMs: 4_000, pieces: 5, gapMs: 1_000, words: 0, reporting: 'all along' });
      const whole = { strategy, rounds: 2, arbiter: steady, includeExplanation: true, includeFollowUps: true } as const;
      const undisturbed = await service.run(scheduleOf([steady, steady, steady], { ...whole, live: true }));
      const endMs = undisturbed.exchange.arrivalsMs.at(-1) ?? 0;
      expect(undisturbed.charges.length).toBeGreaterThan(5);
      for (let leavesAfterMs = 1_500; leavesAfterMs < endMs; leavesAfterMs += 4_000) {
        for (const live of [true, false]) {
          const schedule = scheduleOf([steady, steady, steady], { ...whole, live, leavesAfterMs });
          const { flaws, exchange } = await service.run(schedule);
          expect(exchange.complete).toBe(false);
          expect(flaws).toEqual([]);
        }
      }
      expect(await service.audit()).toEqual([]);
    },
    120_000,
  );
});

/** One upstream over real HTTP; its bills are in its last usage reports. */
describe('what an upstream bills over the wire is what is stored', () => {
  const { bill, text, report, end, done, error } = OPENAI;
  const good = sendEvents(text('Yes.') + end + report(bill(11, 2)) + done);

  it.each<{ rule: string; replies: Reply[]; status: number; recorded: unknown[] }>([
    {
      rule: 'an answer with a report in every chunk: the last one counts',
      replies: [sendEvents(text('A ', bill(100, 1)) + text('fruit.', bill(100, 3)) + end + done)],
      status: 200,
      recorded: [[100, 3, false]],
    },
    {
      rule: 'an answer cut off behind its report, and the one that came instead',
      replies: [thenCut(text(LONG, bill(100, 4))), good],
      status: 200,
      recorded: [
        [100, 4, false],
        [11, 2, false],
      ],
    },
    {
      rule: 'an error behind the report',
      replies: [sendEvents(text(LONG) + report(bill(100, 7)) + error('invalid_request_error'))],
      status: 400,
      recorded: [[100, 7, false]],
    },
  ])('$rule', async ({ replies, status, recorded }) => {
    await using wired = await startUpstreamApp();
    wired.upstream.willReply(...replies);
    const response = await wired.app.chat({ model: 'gpt-4o-mini' });
    const rows = await wired.rowsOf(response);
    expect(response.status).toBe(status);
    expect(rows.map((row) => [row.promptTokens, row.completionTokens, row.estimated])).toEqual(recorded);
  });

  it.each([
    { model: 'gpt-4o-mini', piece: text(LONG, bill(100, 4)) },
    { model: 'gemini-2.5-flash', piece: geminiPiece(LONG, 100, 4) },
  ])('regression: an answer of $model whose reader left right behind its report', async ({ model, piece }) => {
    await using wired = await startUpstreamApp();
    const { exchange, reply } = underControl();
    wired.upstream.willReply(reply);
    const response = await wired.app.chat({ model, stream: true });
    (await exchange).write(piece);
    await readUntil(response, LONG);
    await (await exchange).disconnected;
    expect(await wired.rowsOf(response)).toMatchObject([{ promptTokens: 100, completionTokens: 4, estimated: false }]);
  });
});

describe('a call is recorded', () => {
  const recorded = async (schedule: Schedule) => {
    const { flaws, store } = await runSchedule(schedule);
    expect(flaws).toEqual([]);
    return new Map(store.settlements[0]?.calls.map((row) => [row.callId, row]));
  };

  it('regression: of its own where the red team’s author defends in the round it drafted in', async () => {
    const rows = await recorded(scheduleOf([always('answers', { words: 4 })], { strategy: 'red_team_blue_team' }));
    expect([...rows.keys()]).toEqual(['r1.p1', 'r1.p1.attack', 'r1.p1.defence', 'answer']);
  });

  it('regression: as reported where its text was blank', async () => {
    const rows = await recorded(scheduleOf([always('is blank')]));
    // 40 for the prompt and 20 for its characters; 5 and one for the four blanks.
    const counts = { promptTokens: 60, completionTokens: 6, estimated: false, outcome: 'failed' };
    expect([rows.get('r1.p1'), rows.get('r1.p1#2')]).toMatchObject([counts, counts]);
  });

  it('regression: as last reported where it broke off after that', async () => {
    const rows = await recorded(scheduleOf([always('breaks off', { fault: 'bad_request', reporting: 'all along' })]));
    // 32 of 63 characters were sent: 5 and 5 for them.
    expect(rows.get('r1.p1')).toMatchObject({ promptTokens: 60, completionTokens: 10, estimated: false });
  });

  it('regression: at nothing where the client left while it was being listed', async () => {
    const rows = await recorded(
      scheduleOf([always('answers')], {
        strategy: 'expert_panel',
        arbiter: always('answers'),
        // The cast takes a second; the first opinion is being listed for 20 ms after it.
        leavesAfterMs: 1_010,
        ledgerLatencyMs: 20,
      }),
    );
    expect(rows.get('r1.p1')).toMatchObject({ promptTokens: 0, costNanoUsd: 0, estimated: false, outcome: 'aborted' });
  });

  it('regression: at nothing where no time was left to make it', async () => {
    // 525 s less 150 for the answer and 45 for the judgement. 30 s for a plan that never comes, 114.5 s for the first
    // round, 22.5 s for each of seven more: the ninth has 28 s, and its implementer uses them up.
    const quick = Array.from({ length: 7 }, () => reaction('answers', { afterMs: 10_000 }));
    const crew = [
      always('hangs'),
      { able: false, reactions: [reaction('answers', { afterMs: 102_000 }), ...quick, reaction('hangs')] },
      always('answers', { afterMs: 12_500, words: 1 }),
    ];
    const change = { strategy: 'hierarchical', rounds: 10, includeExplanation: true, paceMs: 150_000 } as const;
    const rows = await recorded(scheduleOf(crew, change));
    const nothing = { promptTokens: 0, costNanoUsd: 0, estimated: false, outcome: 'aborted' };
    expect([rows.get('r8.p3.review'), rows.get('r9.p3.review')]).toMatchObject([{ outcome: 'ok' }, nothing]);
  });
});
