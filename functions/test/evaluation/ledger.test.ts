import type { Settlement } from '../../src/ledger/ledger-store';
import { answer, EVALUATIONS_PATH, judges, QUESTION } from '../support/app';
import type { Exchange } from '../support/fake-upstream';
import { allAt, shownTo, verdictOf } from '../support/judges';
import { until } from '../support/until';
import type { WireEvaluations } from '../support/wire';
import { type JudgeCall, judgeScene } from './judge-upstream';

/** (11) What an evaluation consumed, against what the upstream counted: to the token, whatever happened. */

const RESPONSES = Array.from({ length: 3 }, (_, index) => answer(`m${index}`, `Text ${index}.`));
const MODELS = ['gpt-4o', 'claude-sonnet-5', 'gemini-2.5-pro'];
const FIELDS = { responses: RESPONSES, judge_models: judges(...MODELS) };

const verdict = (call: JudgeCall, score: number): string => verdictOf(call, () => allAt(score));

describe('the ledger of an evaluation', () => {
  const scene = judgeScene();

  const evaluate = async (fields: object): Promise<WireEvaluations> =>
    (await scene.app.evaluate({ ...FIELDS, ...fields })).body;

  it.each(['standard', 'pointwise'])(
    'count repairs, unusable replies and second looks, in %s mode',
    async (evaluation_mode) => {
      scene.upstream.play((call) => {
        if (call.earlier === 0) return 'I would rather talk.';
        const isLook = shownTo(call).responses.some(({ yours }) => yours);
        if (isLook && call.providerModel === 'gpt-4o') return 'No second word.';
        return verdict(call, call.providerModel === 'gpt-4o' ? 2 : 8);
      });
      const { usage, evaluations } = await evaluate({ evaluation_mode, strategy: 'competitive_refinement' });
      expect(evaluations.every(({ scoredByJudges }) => scoredByJudges === 3)).toBe(true);
      const { promptTokens, completionTokens } = scene.upstream.ledger;
      expect(usage).toMatchObject({
        prompt_tokens: promptTokens,
        completion_tokens: completionTokens,
        total_tokens: promptTokens + completionTokens,
      });
      expect(promptTokens).toBe(100 * scene.upstream.calls.length);
      const { calls } = await scene.settled;
      expect(calls).toHaveLength(scene.upstream.calls.length);
      expect(new Set(calls.map(({ callId }) => callId)).size).toBe(calls.length);
      expect(
        calls.every(({ purpose, outcome, estimated }) => purpose === 'judge' && outcome === 'ok' && !estimated),
      ).toBe(true);
      expect(calls.filter(({ callId }) => callId.endsWith('.repair')).length).toBeGreaterThan(0);
      const [month] = await scene.app.container.store.readMonths('alice', [new Date().toISOString().slice(0, 7)]);
      expect(month).toMatchObject({ requests: 1, promptTokens, completionTokens });
      expect(usage.total_cost).toBeCloseTo((month?.costNanoUsd ?? 0) / 1e9, 12);
      expect(usage.total_cost).toBeGreaterThan(0);
      expect(month?.models.map(({ id }) => id).sort()).toEqual([...MODELS].sort());
    },
  );

  /** Posts, waits until so many calls hang upstream, and leaves; all of them must then end. */
  async function leave(fields: object, calls: number): Promise<Settlement> {
    const hanging: Exchange[] = [];
    scene.upstream.play(() => (exchange) => void hanging.push(exchange));
    const controller = new AbortController();
    const reply = fetch(scene.app.baseUrl + EVALUATIONS_PATH, {
      method: 'POST',
      headers: { authorization: `Bearer ${scene.app.key}` },
      body: JSON.stringify({ prompt: QUESTION, ...FIELDS, ...fields }),
      signal: controller.signal,
    }).catch(() => 'gone');
    await until(() => hanging.length === calls);
    controller.abort();
    expect(await reply).toBe('gone');
    await Promise.all(hanging.map(({ disconnected }) => disconnected));
    return scene.settled;
  }

  it('a client that leaves ends every call at once; each is listed at what it was shown', async () => {
    const { calls } = await leave({}, 3);
    expect(calls.map(({ modelId, outcome, completionTokens }) => [modelId, outcome, completionTokens]).sort()).toEqual(
      MODELS.map((id) => [id, 'aborted', 0]).sort(),
    );
    for (const { promptTokens, estimated } of calls) {
      expect(promptTokens).toBeGreaterThan(100);
      expect(estimated).toBe(true);
    }
    expect(scene.upstream.calls).toHaveLength(3);
  });

  it('list every call before it starts: a process that dies leaves none out', async () => {
    const many = Array.from({ length: 30 }, (_, index) => answer(`m${index}`, `Text ${index}.`));
    const unlisted: string[] = [];
    const { store } = scene.app.container;
    scene.upstream.play((call) => async (exchange) => {
      const begun = scene.upstream.calls.length;
      const [record] = await store.listExpired(Number.MAX_SAFE_INTEGER, 1);
      if ((record?.calls.length ?? 0) < begun) unlisted.push(call.providerModel);
      exchange.cut();
    });
    const { evaluations } = await evaluate({
      evaluation_mode: 'pointwise',
      responses: many,
      judge_models: judges('gpt-4o'),
    });
    expect(evaluations.every(({ notScored }) => notScored)).toBe(true);
    expect(unlisted).toEqual([]);
    // Ten failures and what was running by then; after that the model is spared.
    expect(scene.upstream.calls.length).toBeGreaterThanOrEqual(10);
    expect((await scene.settled).calls.length).toBeGreaterThanOrEqual(scene.upstream.calls.length);
  });
});
