import { answer, judges } from '../support/app';
import { sendStatus } from '../support/fake-upstream';
import { shownTo, worth } from '../support/judges';
import type { WireEvaluations } from '../support/wire';
import { changed, good, type JudgeCall, type JudgeReply, judgeScene } from './judge-upstream';

/** Judges whose provider refuses texts for their length, over real HTTP. `gpt-4o` reads everything. */

const REFUSING = 'gpt-4.1';
const REFUSED = sendStatus(400, { error: { message: 'prompt is too long: 9000 tokens > 4000 maximum' } });
const LONG = `${worth(8)} ${'é</"'.repeat(2_000)} The end.`;
const SHORT = worth(4);
const MARK = /\[… 8,\d{3} characters in all, the middle left out …\]/;

describe('a judge whose provider refuses the texts for their length', () => {
  const scene = judgeScene();

  async function heard(reply: (call: JudgeCall) => JudgeReply, fields: object = {}) {
    scene.upstream.play((call) => (call.providerModel === REFUSING ? reply(call) : good(call)));
    const responses = [answer('a', LONG), answer('b', SHORT)];
    const { body } = await scene.app.evaluate({ responses, judge_models: judges('gpt-4o', REFUSING), ...fields });
    return { ...body, calls: scene.upstream.calls.filter(({ providerModel }) => providerModel === REFUSING) };
  }

  const reasoningOf = ({ evaluations }: WireEvaluations, judge: string): (string | undefined)[] =>
    evaluations.map(
      ({ individualScores = [] }) => individualScores.find(({ judgeId }) => judgeId === judge)?.reasoning,
    );

  it('is asked once more with long texts cut, in the form of the first call, and says what it saw', async () => {
    const result = await heard((call) => (call.earlier === 0 ? REFUSED : good(call)));
    expect(result.evaluations.map(({ scoredByJudges }) => scoredByJudges)).toEqual([2, 2]);
    const [whole, shorter] = result.calls.map(shownTo);
    const [long] = (whole?.responses ?? []).filter(({ response }) => response === LONG);
    const cut = shorter?.responses.find(({ label }) => label === long?.label)?.response ?? '';
    expect(cut).toMatch(MARK);
    expect(cut.length).toBeLessThan(0.55 * LONG.length);
    expect([cut.startsWith(worth(8)), cut.endsWith('The end.')]).toEqual([true, true]);
    expect(shorter?.responses.map(({ response }) => response)).toContain(SHORT);
    expect(shorter?.prompt).toBe(whole?.prompt);
    const said = result.calls.map(({ prompt }) => prompt.turns[0]?.text.split('The material ends here.')[1]);
    expect(said[0]).not.toContain('too long to be shown whole');
    expect(said[1]).toContain(`These texts were too long to be shown whole: ${long?.label}. We`);
    expect(reasoningOf(result, REFUSING)).toEqual([
      `The judge was shown this response shortened: the whole was too long for it. Because of ${REFUSING}.`,
      `Because of ${REFUSING}.`,
    ]);
    expect(reasoningOf(result, 'gpt-4o')).toEqual(['Because of gpt-4o.', 'Because of gpt-4o.']);
    // A row in the ledger for either call; the second one alone is paid for.
    const rows = (await scene.settled).calls.filter(({ modelId }) => modelId === REFUSING);
    const [{ callId } = { callId: '' }] = rows;
    expect(rows.map((row) => [row.callId, row.purpose, row.outcome, row.promptTokens])).toEqual([
      [callId, 'judge', 'failed', 0],
      [`${callId}.shorter`, 'judge', 'ok', 100],
    ]);
  });

  it('is asked for a repair with the shortened texts', async () => {
    const result = await heard((call) => {
      if (call.earlier === 0) return REFUSED;
      return call.earlier === 1 ? changed(call, () => []) : good(call);
    });
    expect(result.evaluations.map(({ scoredByJudges }) => scoredByJudges)).toEqual([2, 2]);
    const [, shorter, repair] = result.calls.map(shownTo);
    expect(result.calls).toHaveLength(3);
    expect(repair).toEqual(shorter);
  });

  it('is not asked again where the texts are short: it is our own words that are too many for it', async () => {
    const result = await heard(() => REFUSED, { responses: [answer('b', SHORT)] });
    expect(result.calls).toHaveLength(1);
    expect(result.evaluations[0]).toMatchObject({ scoredByJudges: 1 });
  });
});
