import { answer, judges } from '../support/app';
import { type Reply, sendStatus } from '../support/fake-upstream';
import { shownTo, worth } from '../support/judges';
import fc from '../support/properties';
import { UPSTREAM_WORDS } from '../support/scripted-models';
import type { WireEvaluations } from '../support/wire';
import { changed, good, type JudgeCall, type JudgeReply, judgeScene } from './judge-upstream';

/** Judges that fail, over real HTTP in each provider's wire format. One good judge, `gpt-4o`, sits beside each. */

const RESPONSES = [answer('a', worth(8)), answer('b', worth(4))];
const PROVIDERS = ['gpt-4.1', 'claude-sonnet-5', 'gemini-2.5-pro'];

const refused = (status: number) => (): Reply => sendStatus(status, { error: { message: UPSTREAM_WORDS } });

/** Judges that are without scores, after so many calls. */
const MUTE: readonly (readonly [
  fault: string,
  reply: (call: JudgeCall) => JudgeReply,
  calls: number,
  cause: string,
])[] = [
  ['prose', () => 'The first one is an 8, the other a 4.', 2, 'unusable output'],
  ['a verdict cut off', (call) => good(call).slice(0, -20), 2, 'unusable output'],
  ['a refusal of the key', refused(401), 1, 'not available'],
  ['an unknown model', refused(404), 1, 'not found'],
  ['500, twice', refused(500), 2, 'not available'],
  ['a reset, twice', () => (exchange) => exchange.cut(), 2, 'not reachable'],
];

describe.each(PROVIDERS)('a judge at %s', (faulty) => {
  const scene = judgeScene();

  const callsToIt = () => scene.upstream.calls.filter(({ providerModel }) => providerModel === faulty);
  /** Asks both judges, the faulty one playing `reply`. On the system's clock: what is waited for is a real network. */
  async function heard(reply: (call: JudgeCall) => JudgeReply, panel: readonly string[] = ['gpt-4o', faulty]) {
    scene.upstream.play((call) => (call.providerModel === faulty ? reply(call) : good(call)));
    const { status, text, body } = await scene.app.evaluate<WireEvaluations>({
      responses: RESPONSES,
      judge_models: judges(...panel),
    });
    expect(status).toBe(200);
    expect(text + scene.app.logLines.join('\n')).not.toMatch(/UPSTREAM|sk-upstream|sk-wire/);
    const scores = body.evaluations.map(
      ({ individualScores = [] }) => individualScores.find(({ judgeId }) => judgeId === faulty)?.overallScore,
    );
    return { evaluations: body.evaluations, overalls: body.evaluations.map((one) => one.overallScore), scores };
  }

  it.each(MUTE)('that gives %s changes no score (12), and is told as the cause', async (_, reply, calls, cause) => {
    const { overalls, scores, evaluations } = await heard(reply);
    expect([overalls, scores, callsToIt().length]).toEqual([[8, 4], [undefined, undefined], calls]);
    expect(evaluations[0]).toMatchObject({ scoredByJudges: 1, totalJudges: 2 });
    for (const { reasoning, notScored } of (await heard(reply, [faulty])).evaluations) {
      expect({ reasoning, notScored }).toEqual({ reasoning: `0 of 1 judges: 1 ${cause}`, notScored: true });
    }
  });

  it.each([
    ['a negative score', (items: object[]) => [{ ...items[0], clarity: -1 }, ...items.slice(1)]],
    ['a missing label', (items: object[]) => items.slice(1)],
  ])('that spoils one item by %s is asked once more, for that one only', async (_, spoil) => {
    const { scores } = await heard((call) => (call.earlier > 0 ? good(call) : changed(call, spoil)));
    expect(scores).toEqual([8, 4]);
    const [before, repair] = callsToIt();
    const spoilt = shownTo(before ?? { prompt: { turns: [] } }).responses[0];
    expect(shownTo(repair ?? { prompt: { turns: [] } }).responses).toEqual([spoilt]);
    expect(repair?.prompt.turns[0]?.text).toContain(`Your last reply could not be used:\n- ${spoilt?.label}`);
    expect(repair?.prompt.system).toBe(before?.prompt.system);
    const again = await heard((call) => changed(call, spoil));
    expect([again.scores.filter((score) => score === undefined).length, again.overalls]).toEqual([1, [8, 4]]);
  });

  it('(15) that says whatever bytes is heard without a fault of ours', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.uint8Array()),
        fc.boolean(),
        async (said, asStream) => {
          const { overalls } = await heard((call) => {
            if (typeof said === 'string' && asStream) return said === '' ? '{}' : said;
            if (call.earlier % 2 === 1) return 'Hm.';
            return (exchange) => {
              exchange.write(said);
              exchange.end();
            };
          });
          expect(overalls).toEqual([8, 4]);
        },
      ),
      { numRuns: 10 },
    );
  });
});
