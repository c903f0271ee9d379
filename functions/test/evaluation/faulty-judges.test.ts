import { systemClock } from '../../src/lib/clock';
import { type App, answer, judges, startApp } from '../support/app';
import { type Exchange, sendStatus } from '../support/fake-upstream';
import { shownTo, worth } from '../support/judges';
import fc from '../support/properties';
import type { WireEvaluations } from '../support/wire';
import { ALWAYS, changed, first, good, SPOILT } from './judge-faults';
import { type JudgeCall, type JudgeReply, type JudgeUpstream, startJudgeUpstream } from './judge-upstream';

/** Judges that fail, over real HTTP in each provider's wire format. One good judge, `gpt-4o`, sits beside each. */

const RESPONSES = [answer('a', worth(8)), answer('b', worth(4))];
const PROVIDERS = ['gpt-4.1', 'claude-sonnet-5', 'gemini-2.5-pro'];

describe.each(PROVIDERS)('a judge at %s', (faulty) => {
  let app: App;
  let upstream: JudgeUpstream;
  beforeEach(async () => {
    upstream = await startJudgeUpstream();
    app = await startApp({ clock: systemClock, providers: upstream.providers });
  });
  afterEach(async () => {
    await app.close();
    await upstream.close();
  });

  /** Asks both judges, the faulty one playing `reply`. On the system's clock: what is waited for is a real network. */
  async function heard(
    reply: (call: JudgeCall) => JudgeReply,
    panel: readonly string[] = ['gpt-4o', faulty],
  ): Promise<WireEvaluations & { text: string; callsToIt: number }> {
    upstream.play((call) => (call.providerModel === faulty ? reply(call) : good(call)));
    const { status, text, body } = await app.evaluate({ responses: RESPONSES, judge_models: judges(...panel) });
    expect(status).toBe(200);
    return { ...body, text, callsToIt: upstream.calls.filter(({ providerModel }) => providerModel === faulty).length };
  }

  const scoresOf = ({ evaluations }: WireEvaluations): (number | undefined)[] =>
    evaluations.map(
      ({ individualScores = [] }) => individualScores.find(({ judgeId }) => judgeId === faulty)?.overallScore,
    );

  it.each(ALWAYS)('that gives $fault changes |U| at most, never a score (12)', async ({ reply, scores, ...fault }) => {
    const result = await heard(reply);
    expect(scoresOf(result)).toEqual(scores);
    const { calls, callsWhileServing = calls } = fault;
    expect(result.callsToIt).toBe(faulty.startsWith('gpt-') ? callsWhileServing : calls);
    expect(result.evaluations.map(({ overallScore }) => overallScore)).toEqual([8, 4]);
    const usable = scores.filter((one) => one !== undefined).length / 2;
    expect(result.evaluations[0]).toMatchObject({ scoredByJudges: 1 + usable, totalJudges: 2 });
    expect(result.text + app.logLines.join('\n')).not.toMatch(/UPSTREAM|sk-upstream|sk-wire/);
  });

  it.each(ALWAYS.filter(({ cause }) => cause))('that gives $fault is told as "$cause"', async ({ reply, cause }) => {
    const { evaluations } = await heard(reply, [faulty]);
    for (const { reasoning, notScored } of evaluations) {
      expect({ reasoning, notScored }).toEqual({ reasoning: `0 of 1 judges: 1 ${cause}`, notScored: true });
    }
  });

  it.each(SPOILT)('that spoils one item by $fault is asked once more, for that one only', async ({ change }) => {
    const result = await heard((call) => {
      if (call.earlier > 0) return good(call);
      return change ? first(call, change) : changed(call, (items) => items.slice(1));
    });
    expect(scoresOf(result)).toEqual([8, 4]);
    const [before, repair] = upstream.calls.filter(({ providerModel }) => providerModel === faulty);
    const spoilt = shownTo(before ?? { prompt: { turns: [] } }).responses[0];
    expect(shownTo(repair ?? { prompt: { turns: [] } }).responses).toEqual([spoilt]);
    expect(repair?.prompt.turns[0]?.text).toContain(`Your last reply could not be used:\n- ${spoilt?.label}`);
    expect(repair?.prompt.system).toBe(before?.prompt.system);
  });

  it.each(SPOILT)(
    'that spoils it again by $fault is without a score there, and with one elsewhere',
    async ({ change }) => {
      const result = await heard((call) =>
        change ? first(call, change) : changed(call, (items) => (call.earlier > 0 ? [] : items.slice(1))),
      );
      expect(scoresOf(result).filter((score) => score === undefined)).toHaveLength(1);
      expect(result.callsToIt).toBe(2);
      expect(result.evaluations.map(({ overallScore }) => overallScore)).toEqual([8, 4]);
    },
  );

  it.each([
    { fault: '500', reply: sendStatus(500, {}) },
    { fault: 'a reset', reply: (exchange: Exchange) => exchange.cut() },
    // Google tells the wait in the body.
    {
      fault: '429 with a wait',
      reply: sendStatus(
        429,
        { error: { code: 429, details: [{ '@type': 'RetryInfo', retryDelay: '0.01s' }] } },
        { 'retry-after-ms': '10' },
      ),
    },
  ])('that fails once by $fault is asked again and counts', async ({ reply }) => {
    const result = await heard((call) => (call.earlier === 0 ? reply : good(call)));
    expect(scoresOf(result)).toEqual([8, 4]);
    expect(result.callsToIt).toBe(2);
  });

  it('that refuses schemas (400) is asked plainly, at once and from then on', async () => {
    const refuse = sendStatus(400, { error: { message: 'schema not supported' } });
    const reply = (call: JudgeCall): JudgeReply => (call.hasSchema ? refuse : good(call));
    expect(scoresOf(await heard(reply))).toEqual([8, 4]);
    expect(scoresOf(await heard(reply))).toEqual([8, 4]);
    expect(
      upstream.calls.filter(({ providerModel }) => providerModel === faulty).map(({ hasSchema }) => hasSchema),
    ).toEqual([true, false, false]);
  });

  it('(15) that says whatever bytes is heard without a fault of ours', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.uint8Array()),
        fc.boolean(),
        async (said, asStream) => {
          const result = await heard((call) => {
            if (typeof said === 'string' && asStream) return said === '' ? '{}' : said;
            if (call.earlier % 2 === 1) return 'Hm.';
            return (exchange) => {
              exchange.write(said);
              exchange.end();
            };
          });
          expect(result.evaluations.map(({ overallScore }) => overallScore)).toEqual([8, 4]);
        },
      ),
      { numRuns: 10 },
    );
  });
});
