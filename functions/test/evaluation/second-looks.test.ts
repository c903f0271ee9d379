import type { ProviderCall } from '../../src/models/model';
import { answer, judges, sharedApp } from '../support/app';
import { allAt, judgeScript, type Scoring, type ShownResponse, shownTo, verdictOf } from '../support/judges';
import { failing } from '../support/scripted-models';

/** `competitive_refinement`: who is asked again, what is shown, and which second word counts. */

const CONTESTED = 'Contested.';
const AGREED = 'Agreed.';
const isSecond = ({ yours }: ShownResponse): boolean => yours !== undefined;

/** First so much on what is contested and 7 on the rest; then what `second` says. */
const judge =
  (first: number, second: Readonly<Record<string, unknown>>): Scoring =>
  (shown) =>
    isSecond(shown) ? second : allAt(shown.response === CONTESTED ? first : 7);

describe('competitive_refinement', () => {
  const app = sharedApp();

  const refine = (fields: object = {}) =>
    app.evaluate({
      strategy: 'competitive_refinement',
      responses: [answer('a', AGREED), answer('b', CONTESTED)],
      judge_models: judges('x', 'y'),
      ...fields,
    });
  const secondOf = (calls: readonly ProviderCall[]): ProviderCall[] =>
    calls.filter((call) => shownTo(call).responses.some(isSecond));
  const overalls = async (x: Scoring, y: Scoring): Promise<unknown> => {
    app.models.play(judgeScript({ x, y }));
    const { body } = await refine();
    return body.evaluations.map(({ individualScores = [] }) =>
      individualScores.map(({ overallScore }) => overallScore),
    );
  };

  it('asks every judge again, for contested responses only, showing its own scores and its peers’', async () => {
    app.models.play(judgeScript({ x: judge(4, allAt(5)), y: judge(8, allAt(7)) }));
    const { calls, body } = await refine();
    expect(calls).toHaveLength(4);
    const [second] = secondOf(calls).filter(({ providerModel }) => providerModel === 'x');
    expect(shownTo(second ?? { prompt: { turns: [] } }).responses).toEqual([
      {
        label: expect.stringMatching(/^[A-Z]{4}$/),
        response: CONTESTED,
        yours: { scores: allAt(4), reasoning: 'Because of x.' },
        peers: [{ scores: allAt(8), reasoning: 'Because of y.' }],
      },
    ]);
    expect(body.evaluations.map(({ overallScore, divergencePercent }) => [overallScore, divergencePercent])).toEqual([
      [7, 0],
      [6, 20],
    ]);
    // Discarded or not, every call is paid for.
    expect(body.usage).toMatchObject({ prompt_tokens: 40, completion_tokens: 12 });
  });

  it('in pointwise mode is j·n calls and j for each contested response', async () => {
    app.models.play(judgeScript({ x: judge(4, allAt(5)), y: judge(8, allAt(7)), z: judge(6, allAt(6)) }));
    const responses = [
      answer('a', AGREED),
      answer('b', CONTESTED),
      answer('c', AGREED),
      answer('d', CONTESTED, 'judge'),
    ];
    // In a role the scores lack its criteria, which one repair each round does not bring.
    const { calls } = await refine({ evaluation_mode: 'pointwise', judge_models: judges('x', 'y', 'z'), responses });
    const repairs = calls.filter(({ prompt }) => prompt.turns[0]?.text.includes('could not be used'));
    expect(repairs).toHaveLength(6);
    expect(calls.length - repairs.length).toBe(3 * 4 + 3 * 2);
  });

  it('discards a longer move without a reason, and takes it with one', async () => {
    expect(await overalls(judge(4, allAt(7.5)), judge(8, { ...allAt(4), change: 'I had missed the proof.' }))).toEqual([
      [7, 7],
      [4, 4],
    ]);
    expect(await overalls(judge(4, { ...allAt(4), clarity: 8, change: '  ' }), judge(8, allAt(8)))).toEqual([
      [7, 7],
      [4, 8],
    ]);
  });

  it('keeps the first scores of a judge whose second word is missing, and does not ask one that had no first', async () => {
    const panel = judgeScript({ x: judge(4, allAt(6)), y: judge(8, allAt(7)) });
    for (const second of [failing('unauthorized'), { text: 'I stand by it.' }, { text: '{"items":[]}' }]) {
      app.models.play((call) => {
        if (call.providerModel === 'z') return failing('unauthorized');
        return call.providerModel === 'y' && secondOf([call]).length > 0 ? second : panel(call);
      });
      const { body, calls } = await refine({ judge_models: judges('x', 'z', 'y') });
      expect(body.evaluations[1]?.individualScores?.map(({ overallScore }) => overallScore)).toEqual([6, 8]);
      expect(body.evaluations[1]).toMatchObject({ scoredByJudges: 2, totalJudges: 3 });
      expect(new Set(secondOf(calls).map(({ providerModel }) => providerModel))).toEqual(new Set(['x', 'y']));
    }
  });

  it('keeps a role criterion of the first look that the second leaves out', async () => {
    const further = { impartiality: 6, verdictJustification: 6, reasoningTransparency: 6 };
    app.models.play((call) => ({
      text: verdictOf(call, (shown) =>
        isSecond(shown) ? allAt(6) : { ...allAt(call.providerModel === 'x' ? 4 : 8), ...further },
      ),
    }));
    const { body } = await refine({ responses: [answer('b', CONTESTED, 'judge')] });
    expect(body.evaluations[0]?.criteria).toEqual({ ...allAt(6), ...further });
  });
});
