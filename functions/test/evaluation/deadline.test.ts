import { type ApiReply, answer, judges, startApp } from '../support/app';
import { during } from '../support/during';
import { allAt, shownTo, verdictOf } from '../support/judges';
import type { Script } from '../support/scripted-models';
import { until } from '../support/until';
import type { WireEvaluations } from '../support/wire';

/** Time, on a clock that the tests move: nobody waits for a judge beyond its cap, nor for the whole beyond 480 s. */

const SECOND = 1_000;
const NEVER = 10_000 * SECOND;
const usage = { promptTokens: 1, completionTokens: 1 };
const good: Script = (call) => ({ text: verdictOf(call, ({ role }) => allAt(7, role)), usage });
/** A good reply, so long in coming. */
const slow =
  (delayMs: number): Script =>
  (call) => ({ ...good(call), delayMs });
const texts = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => answer(`m${index}`, `Text ${index}.`));

describe('an evaluation', () => {
  const app = during('each', startApp);
  let reply: ApiReply<WireEvaluations> | undefined;
  beforeEach(() => {
    reply = undefined;
  });

  function begin(fields: Record<string, unknown>): void {
    void app.evaluate<WireEvaluations>(fields).then((arrived) => {
      reply = arrived;
    });
  }

  /** Waits until so many calls were made in all, then lets so much time pass. */
  async function pass(calls: number, ms: number): Promise<void> {
    await until(() => app.models.calls.length >= calls);
    expect(app.models.calls.length).toBe(calls);
    await app.clock.advance(ms);
  }

  async function answered(): Promise<ApiReply<WireEvaluations>> {
    await until(() => reply !== undefined);
    if (!reply) throw new Error('no reply');
    return reply;
  }

  it.each([
    { judge: 'deaf', seconds: 120 },
    // As long as one that thinks may be silent is more than a judge has.
    { judge: 'o3', seconds: 150 },
    { judge: 'deaf', seconds: 60, strategy: 'speed_pair' },
  ])('goes on without $judge after $seconds s of silence, which it does not ask again', async (row) => {
    const { judge, seconds, strategy = 'standard' } = row;
    app.models.play((call) => (call.providerModel === judge ? slow(NEVER)(call) : good(call)));
    begin({ judge_models: judges('x', judge), strategy });
    await pass(2, seconds * SECOND - 1);
    expect(reply).toBeUndefined();
    await app.clock.advance(1);
    const { body } = await answered();
    expect(body.evaluations[0]).toMatchObject({ overallScore: 7, scoredByJudges: 1, totalJudges: 2 });
    expect(app.models.calls).toHaveLength(2);
  });

  it('is answered at 480 s with what is in: 32 of 48 at 8 calls a time of 119 s', async () => {
    app.models.play(slow(119 * SECOND));
    begin({ evaluation_mode: 'pointwise', responses: texts(48) });
    for (const calls of [8, 16, 24, 32]) await pass(calls, 119 * SECOND);
    await pass(40, 4 * SECOND - 1);
    expect(reply).toBeUndefined();
    await app.clock.advance(1);
    const { body, status, calls } = await answered();
    expect(status).toBe(200);
    const missing = body.evaluations.filter(({ notScored }) => notScored);
    expect(missing).toHaveLength(16);
    expect(new Set(missing.map(({ reasoning }) => reasoning))).toEqual(new Set(['0 of 1 judges: 1 timed out']));
    // The eight under way were begun and may be billed: each is listed at what it was shown. The last eight never were.
    expect(calls).toHaveLength(40);
    expect(body.usage.completion_tokens).toBe(32);
    expect(body.usage.prompt_tokens).toBeGreaterThan(32 + 8 * 100);
    expect(body.usage.prompt_tokens).toBeLessThan(32 + 16 * 500);
  });

  it.each([
    { left: 'less than 20 s', lastMs: 103 * SECOND + 1, repairs: 0 },
    { left: '20 s', lastMs: 103 * SECOND, repairs: 8 },
  ])('with $left left begins $repairs repairs', async ({ lastMs, repairs }) => {
    const isRepair = (call: Parameters<Script>[0]): boolean =>
      call.prompt.turns[0]?.text.includes('could not be used') ?? false;
    app.models.play((call) => {
      if (isRepair(call)) return good(call);
      const inLastWave = app.models.calls.length > 24;
      return inLastWave ? { text: 'Hm.', delayMs: lastMs } : slow(119 * SECOND)(call);
    });
    begin({ evaluation_mode: 'pointwise', responses: texts(32) });
    for (const calls of [8, 16, 24]) await pass(calls, 119 * SECOND);
    await pass(32, lastMs);
    const { body, calls } = await answered();
    expect(calls.filter(isRepair)).toHaveLength(repairs);
    expect(body.evaluations.filter(({ notScored }) => notScored)).toHaveLength(8 - repairs);
  });

  it.each([
    { left: 'less than 120 s', waveMs: 45_001, looks: 0 },
    { left: '120 s', waveMs: 45_000, looks: 64 },
  ])('with $left left begins $looks second looks', async ({ waveMs, looks }) => {
    const isLook = (call: Parameters<Script>[0]): boolean => shownTo(call).responses[0]?.yours !== undefined;
    app.models.play((call) => ({
      text: verdictOf(call, () => allAt(call.providerModel === 'x' ? 3 : 8)),
      delayMs: isLook(call) ? 0 : waveMs,
      usage,
    }));
    begin({
      strategy: 'competitive_refinement',
      evaluation_mode: 'pointwise',
      responses: texts(32),
      judge_models: judges('x', 'y'),
    });
    for (let wave = 1; wave <= 8; wave += 1) await pass(8 * wave, waveMs);
    const { calls, body } = await answered();
    expect(calls.filter(isLook)).toHaveLength(looks);
    expect(body.evaluations[0]).toMatchObject({ overallScore: 5.5, scoredByJudges: 2 });
  });

  it('makes at most 16 calls at once, 8 of them at one provider', async () => {
    app.models.play(slow(10 * SECOND));
    const judge_models = judges('gpt-4o', 'claude-sonnet-5', 'gemini-2.5-pro');
    begin({ evaluation_mode: 'pointwise', responses: texts(12), judge_models });
    await pass(16, 1);
    const counts = Map.groupBy(app.models.calls, ({ providerModel }) => providerModel);
    for (const { length } of counts.values()) expect(length).toBeLessThanOrEqual(8);
    await pass(16, 10 * SECOND - 1);
    await pass(32, 10 * SECOND);
    await pass(36, 10 * SECOND);
    expect((await answered()).body.evaluations[11]).toMatchObject({ overallScore: 7, scoredByJudges: 3 });
  });
});
