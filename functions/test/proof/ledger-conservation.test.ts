import fc from 'fast-check';
import { STRATEGY_NAMES } from '../../src/ensemble/strategy-names';
import { type Reply, sendEvents, sendStatus, startFakeUpstream, underControl } from '../support/fake-upstream';
import { startTestApp } from '../support/test-app';
import { until } from '../support/until';
import { openAccounts } from '../support/virtual-accounts';
import { type Charge, totalOf } from '../support/virtual-bill';
import { always, contributes, move, scheduleOf } from '../support/virtual-cast';
import { playSchedule } from '../support/virtual-run';
import { type Schedule, schedules } from '../support/virtual-schedule';
import type { Exchange } from '../support/virtual-service';

const SCHEDULES_A_STRATEGY = 40;
const CANDIDATES_A_STRATEGY = 12;

/**
 * Three accounts of every request: what the upstream billed, what the client was told, what is stored. Each call's
 * charge is the upstream's last report where that came after all the text, else an estimate that is marked as one.
 */
describe('what was billed is what is told and what is stored', () => {
  it.each(STRATEGY_NAMES)(
    'to the token and the nano-dollar, in %s under every fault',
    async (strategy) => {
      await using accounts = await openAccounts();
      const property = fc.asyncProperty(schedules({ strategy }), async (schedule) => {
        const { flaws } = await accounts.play(schedule);
        expect(flaws).toEqual([]);
      });
      await fc.assert(property, { numRuns: SCHEDULES_A_STRATEGY });
      expect(await accounts.audit()).toEqual([]);
    },
    120_000,
  );

  it.each(STRATEGY_NAMES)(
    'when the client leaves in any phase of %s',
    async (strategy) => {
      await using accounts = await openAccounts();
      // Every call takes 4 to 8 s; a word a second, and with each of them a report.
      const steady = always('answers', { afterMs: 4_000, pieces: 5, gapMs: 1_000, words: 0, reporting: 'all along' });
      const whole = { strategy, rounds: 2, arbiter: steady, includeExplanation: true, includeFollowUps: true } as const;
      const undisturbed = await accounts.play(scheduleOf([steady, steady, steady], { ...whole, live: true }));
      const endMs = undisturbed.exchange.arrivalsMs.at(-1) ?? 0;
      expect(undisturbed.charges.length).toBeGreaterThan(5);
      for (let leavesAfterMs = 1_500; leavesAfterMs < endMs; leavesAfterMs += 4_000) {
        for (const live of [true, false]) {
          const schedule = scheduleOf([steady, steady, steady], { ...whole, live, leavesAfterMs });
          const { flaws, exchange } = await accounts.play(schedule);
          expect(exchange.complete).toBe(false);
          expect(flaws).toEqual([]);
        }
      }
      expect(await accounts.audit()).toEqual([]);
    },
    120_000,
  );

  it.each(STRATEGY_NAMES)(
    'member by member where the candidates of %s are told',
    async (strategy) => {
      await using accounts = await openAccounts();
      const fixed = { strategy, includeCandidates: true, live: false, leavesAfterMs: null };
      let candidates = 0;
      // Two or more, each a model of its own: then a member's sum is its model's.
      const panels = schedules(fixed).filter(
        ({ participants, arbiter }) => participants.length > 1 && typeof arbiter === 'object',
      );
      const property = fc.asyncProperty(panels, async (schedule) => {
        const distinct = schedule.participants.map(({ character }) => ({ character, twin: false }));
        const { exchange, charges, flaws } = await accounts.play({ ...schedule, participants: distinct });
        expect(flaws).toEqual([]);
        const told = candidatesOf(exchange);
        candidates += told.length;
        expect(told).toEqual(told.map(({ modelId }) => memberOf(modelId, charges)));
      });
      await fc.assert(property, { numRuns: CANDIDATES_A_STRATEGY });
      expect(candidates).toBeGreaterThan(0);
    },
    60_000,
  );
});

/** One upstream that keeps to the OpenAI protocol, over real HTTP; its bills are in its last usage frames. */
describe('what an upstream bills over the wire is what is stored', () => {
  const text = (content: string, usage?: object): string =>
    frame({ choices: [{ delta: { content } }], ...(usage && { usage }) });
  const bill = (prompt_tokens: number, completion_tokens: number) => ({ prompt_tokens, completion_tokens });
  const END = frame({ choices: [{ delta: {}, finish_reason: 'stop' }] });
  const DONE = 'data: [DONE]\n\n';
  const reported = frame({ choices: [], usage: bill(100, 7) });
  const good = sendEvents(text('Yes.') + END + frame({ choices: [], usage: bill(11, 2) }) + DONE);
  const thenCut =
    (events: string): Reply =>
    (exchange) => {
      exchange.write(events);
      setImmediate(() => exchange.cut());
    };

  it.each<{ rule: string; replies: Reply[]; status: number; booked: unknown[] }>([
    {
      rule: 'an answer',
      replies: [sendEvents(text('A fruit.') + END + reported + DONE)],
      status: 200,
      booked: [[100, 7, false]],
    },
    {
      rule: 'an answer with a report in every chunk: the last one counts',
      replies: [sendEvents(text('A ', bill(100, 1)) + text('fruit.', bill(100, 3)) + END + DONE)],
      status: 200,
      booked: [[100, 3, false]],
    },
    {
      rule: 'an answer without a report: 20 characters and a turn of 4 tokens, 8 characters back',
      replies: [sendEvents(text('A fruit.') + END + DONE)],
      status: 200,
      booked: [[9, 2, true]],
    },
    {
      rule: 'an answer cut off behind its report, and the one that came instead',
      replies: [thenCut(text('A tomato is a berry, and so it is a fruit.', bill(100, 4))), good],
      status: 200,
      booked: [
        [100, 4, false],
        [11, 2, false],
      ],
    },
    {
      rule: 'an answer cut off before any report, and the one that came instead',
      replies: [thenCut(text('A fruit.')), good],
      status: 200,
      booked: [
        [9, 2, true],
        [11, 2, false],
      ],
    },
    {
      rule: 'an error behind the report',
      replies: [
        sendEvents(text('A tomato is a berry.') + reported + frame({ error: { type: 'invalid_request_error' } })),
      ],
      status: 500,
      booked: [[100, 7, false]],
    },
    {
      rule: 'a refusal',
      replies: [sendStatus(400, { error: { message: 'no', type: 'invalid_request_error' } })],
      status: 500,
      booked: [[0, 0, false]],
    },
  ])('$rule', async ({ replies, status, booked }) => {
    const upstream = await startFakeUpstream();
    const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${upstream.url}/v1` };
    await using app = await startTestApp({ providers: {}, env });
    upstream.willReply(...replies);
    const response = await app.chat({ model: 'gpt-4o-mini' });
    expect(response.status).toBe(status);
    const record = await app.container.store.findRecord(response.headers.get('x-request-id') ?? '');
    const rows = record?.calls ?? [];
    expect(rows.map((row) => [row.promptTokens, row.completionTokens, row.estimated])).toEqual(booked);
    await upstream.close();
  });

  const ANSWER = 'A tomato is a berry, and so it is a fruit.';
  it.each([
    { model: 'gpt-4o-mini', event: text(ANSWER, bill(100, 4)) },
    {
      model: 'gemini-2.5-flash',
      event: frame({
        candidates: [{ content: { parts: [{ text: ANSWER }] } }],
        usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 4 },
      }),
    },
  ])('an answer of $model whose reader left right after its report', async ({ model, event }) => {
    const upstream = await startFakeUpstream();
    const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${upstream.url}/v1` };
    const google = { GEMINI_API_KEY: 'k', GEMINI_BASE_URL: upstream.url };
    await using app = await startTestApp({ providers: {}, env: { ...env, ...google } });
    const { exchange, reply } = underControl();
    upstream.willReply(reply);
    const response = await app.chat({ model, stream: true });
    (await exchange).write(event);
    const reader = response.body?.getReader();
    for (let seen = ''; !seen.includes('berry'); ) seen += Buffer.from((await reader?.read())?.value ?? []).toString();
    await reader?.cancel();
    await (await exchange).disconnected;
    const record = () => app.container.store.findRecord(response.headers.get('x-request-id') ?? '');
    await until(async () => (await record())?.state === 'settled');
    expect((await record())?.calls).toMatchObject([{ promptTokens: 100, completionTokens: 4, estimated: false }]);
    await upstream.close();
  });
});

function frame(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

describe('a call is booked', () => {
  const booked = async (schedule: Schedule) => {
    const { flaws, ledger } = await playSchedule(schedule);
    expect(flaws).toEqual([]);
    return new Map(ledger.settlements[0]?.calls.map((row) => [row.callId, row]));
  };

  it('regression: of its own where the red team’s author defends in the round it drafted in', async () => {
    const rows = await booked(scheduleOf([always('answers', { words: 4 })], { strategy: 'red_team_blue_team' }));
    expect([...rows.keys()]).toEqual(['r1.p1', 'r1.p1.attack', 'r1.p1.defence', 'answer']);
  });

  it('regression: as reported where its text was blank', async () => {
    const rows = await booked(scheduleOf([always('is blank')]));
    // 40 for the prompt and 20 for its characters; 5 and one for the four blanks.
    const counts = { promptTokens: 60, completionTokens: 6, estimated: false, outcome: 'failed' };
    expect([rows.get('r1.p1'), rows.get('r1.p1#2')]).toMatchObject([counts, counts]);
  });

  it('regression: as last reported where it broke off after that', async () => {
    const rows = await booked(scheduleOf([always('breaks off', { fault: 'bad_request', reporting: 'all along' })]));
    // 32 of 63 characters were sent: 5 and 5 for them.
    expect(rows.get('r1.p1')).toMatchObject({ promptTokens: 60, completionTokens: 10, estimated: false });
  });

  it('regression: at nothing where the client left while it was being listed', async () => {
    const rows = await booked(
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
    const slow = always('drips');
    const schedule = scheduleOf([always('answers'), slow, slow, always('answers')], {
      strategy: 'hierarchical',
      arbiter: contributes(move('hangs')),
      includeExplanation: true,
      paceMs: 400_000,
    });
    const rows = await booked(schedule);
    expect([...rows.values()].filter(({ outcome }) => outcome === 'open')).toEqual([]);
  });
});

interface Told {
  readonly modelId: string;
  readonly tokenUsage: object;
  readonly cost: number;
}

function candidatesOf({ status, body }: Exchange): Told[] {
  const candidates: Told[] = status === 200 ? (JSON.parse(body).choices[0].candidates ?? []) : [];
  return candidates.map(({ modelId, tokenUsage, cost }) => ({ modelId, tokenUsage, cost }));
}

function memberOf(modelId: string, charges: readonly Charge[]): Told {
  const { promptTokens, completionTokens, costNanoUsd } = totalOf(
    charges.filter((charge) => charge.modelId === modelId),
  );
  const totalTokens = promptTokens + completionTokens;
  return { modelId, tokenUsage: { promptTokens, completionTokens, totalTokens }, cost: costNanoUsd / 1e9 };
}
