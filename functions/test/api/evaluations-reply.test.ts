import { answer, judges, QUESTION, sharedApp } from '../support/app';
import { allAt, harsh, honest, judgeScript, shownTo, worth } from '../support/judges';
import { failing } from '../support/scripted-models';
import type { WireUsage } from '../support/wire';

describe('POST /v1/evaluations: the reply', () => {
  const app = sharedApp();

  it('has every documented field, and besides only the models without a price', async () => {
    const coreX = { accuracy: 9, creativity: 5, clarity: 9, completeness: 9, usefulness: 9 };
    const coreY = { accuracy: 6, creativity: 4, clarity: 6, completeness: 6, usefulness: 6 };
    const furtherX = { vulnerabilityDiscovery: 8, attackRealism: 6, impactAssessment: 7 };
    const furtherY = { vulnerabilityDiscovery: 5, attackRealism: 4, impactAssessment: 3 };
    app.models.play(
      judgeScript({
        x: () => ({ ...coreX, ...furtherX, reasoning: 'Right.' }),
        y: () => ({ ...coreY, ...furtherY, reasoning: 'Meh.' }),
      }),
    );
    const { status, body } = await app.evaluate({
      responses: [answer('a', 'It is.', 'redTeam'), answer('b', 'No.')],
      judge_models: judges('x', 'y'),
      weighted: true,
    });
    expect(status).toBe(200);
    const core = { accuracy: 7.5, creativity: 4.5, clarity: 7.5, completeness: 7.5, usefulness: 7.5 };
    const further = { vulnerabilityDiscovery: 6.5, attackRealism: 5, impactAssessment: 5 };
    const x = { judgeId: 'x', judgeName: 'Judge x', reasoning: 'Right.' };
    const y = { judgeId: 'y', judgeName: 'Judge y', reasoning: 'Meh.' };
    const counts = { scoredByJudges: 2, totalJudges: 2, weighted: true, evaluationMode: 'standard' };
    // With the role: x 0.7·8.2 + 0.3·7 = 7.84, y 0.7·5.6 + 0.3·4 = 5.12; mean 6.48; ((1.36)² + (1.36)²)/2 = 1.8496; 20·1.36 = 27.2.
    // Without: x 41/5 = 8.2, y 28/5 = 5.6; mean 6.9; 1.3² = 1.69; 26. Both equally near: the first speaks.
    expect(body.evaluations).toStrictEqual([
      {
        modelId: 'a',
        modelName: 'Name of a',
        response: 'It is.',
        role: 'redTeam',
        criteria: { ...core, ...further },
        roleSpecificCriteria: further,
        overallScore: 6.48,
        reasoning: 'Right. The judges disagree: lowest Judge y (5.12), highest Judge x (7.84).',
        individualScores: [
          { ...x, criteria: { ...coreX, ...furtherX }, overallScore: 7.84 },
          { ...y, criteria: { ...coreY, ...furtherY }, overallScore: 5.12 },
        ],
        overallScoreVariance: 1.85,
        divergencePercent: 27.2,
        ...counts,
      },
      {
        modelId: 'b',
        modelName: 'Name of b',
        response: 'No.',
        criteria: core,
        overallScore: 6.9,
        reasoning: 'Right. The judges disagree: lowest Judge y (5.6), highest Judge x (8.2).',
        individualScores: [
          { ...x, criteria: coreX, overallScore: 8.2 },
          { ...y, criteria: coreY, overallScore: 5.6 },
        ],
        overallScoreVariance: 1.69,
        divergencePercent: 26,
        ...counts,
      },
    ]);
    // Two calls of 10 and 3 tokens; models without a known price cost 0.
    const usage = { prompt_tokens: 20, completion_tokens: 6, total_tokens: 26, total_cost: 0 };
    expect(body.usage).toStrictEqual({ ...usage, unpriced_models: ['x', 'y'] });
    expect(Object.keys(body)).toEqual(['evaluations', 'usage']);
  });

  it('keeps repeated models and repeated judges apart, in request order', async () => {
    app.models.play(judgeScript({ x: honest, y: harsh }));
    const { body } = await app.evaluate({
      responses: [answer('a', worth(8)), answer('a', worth(4)), answer('a', worth(6))],
      judge_models: [...judges('y', 'x'), { id: 'y', name: 'Y again' }],
    });
    expect(body.evaluations.map(({ response }) => response)).toEqual([worth(8), worth(4), worth(6)]);
    expect(
      body.evaluations.map(({ individualScores = [] }) =>
        individualScores.map(({ judgeName, overallScore }) => [judgeName, overallScore]),
      ),
    ).toEqual(
      [8, 4, 6].map((score) => [
        ['Judge y', score - 2],
        ['Judge x', score],
        ['Y again', score - 2],
      ]),
    );
  });

  it('when no judge gave a score is 200 with zeros that say so, and counts the causes without the providers’ words', async () => {
    app.models.play((call) => {
      if (call.providerModel === 'x') return failing('timeout');
      if (call.providerModel === 'y') return failing('rate_limited');
      return { text: 'I would rather not.', usage: { promptTokens: 5, completionTokens: 5 } };
    });
    const { status, body, text } = await app.evaluate({
      responses: [answer('a', 'Yes.', 'judge')],
      judge_models: judges('x', 'z', 'y', 'x'),
    });
    expect(status).toBe(200);
    const further = { impartiality: 0, verdictJustification: 0, reasoningTransparency: 0 };
    expect(body.evaluations).toStrictEqual([
      {
        modelId: 'a',
        modelName: 'Name of a',
        response: 'Yes.',
        role: 'judge',
        criteria: { ...allAt(0), ...further },
        roleSpecificCriteria: further,
        overallScore: 0,
        reasoning: '0 of 4 judges: 2 timed out, 1 unusable output, 1 rate limited',
        scoredByJudges: 0,
        totalJudges: 4,
        notScored: true,
        weighted: false,
        evaluationMode: 'standard',
      },
    ]);
    expect(text).not.toContain('UPSTREAM');
    expect(app.logLines.join('\n')).not.toContain('sk-upstream');
  });

  it('goes into the ledger as one request, each call under its judge’s model', async () => {
    app.models.play(judgeScript({ 'demo-ada': honest, 'demo-curie': harsh }));
    const { body } = await app.evaluate({
      judge_models: judges('demo-ada', 'demo-curie', 'demo-ada'),
      evaluation_mode: 'pointwise',
    });
    // Six calls of 10 prompt tokens at 100 and 3 completion tokens at 400 nano-USD: 2200 each.
    expect(body.usage).toEqual({ prompt_tokens: 60, completion_tokens: 18, total_tokens: 78, total_cost: 0.0000132 });
    const { body: usage } = await app.read<WireUsage>('/v1/usage');
    const ada = { model_id: 'demo-ada', n_requests: 4, n_context_tokens: 40, n_generated_tokens: 12, cost: 0.0000088 };
    const curie = {
      model_id: 'demo-curie',
      n_requests: 2,
      n_context_tokens: 20,
      n_generated_tokens: 6,
      cost: 0.0000044,
    };
    const lines = [ada, curie].map((line) => expect.objectContaining(line));
    expect(usage.data[0]?.breakdown).toEqual(expect.arrayContaining(lines));
  });

  it('asks judges at temperature 0, where they take one, and holds them to a schema', async () => {
    const { calls } = await app.evaluate({ judge_models: judges('gpt-4o', 'o4-mini') });
    expect(calls.map(({ providerModel, sampling }) => [providerModel, sampling])).toEqual([
      ['gpt-4o', { temperature: 0 }],
      ['o4-mini', {}],
    ]);
    expect(calls.every(({ purpose, outputSchema }) => purpose === 'judge' && outputSchema?.name === 'verdict')).toBe(
      true,
    );
    expect(shownTo(calls[0] ?? { prompt: { turns: [] } }).prompt).toBe(QUESTION);
  });

  it('in round_robin leaves judges of their own model out, or says that there is no other', async () => {
    app.models.play(judgeScript({ a: () => ({ ...allAt(8), reasoning: 'Good.' }), b: honest }));
    const fields = { strategy: 'round_robin', responses: [answer('a', worth(5)), answer('c', worth(6))] };
    const two = (await app.evaluate({ ...fields, judge_models: judges('a', 'b') })).body.evaluations;
    expect(
      two.map(({ scoredByJudges, totalJudges, overallScore }) => [scoredByJudges, totalJudges, overallScore]),
    ).toEqual([
      [1, 1, 5],
      [2, 2, 7],
    ]);
    const alone = (await app.evaluate({ ...fields, judge_models: judges('a') })).body.evaluations;
    expect(alone.map(({ reasoning }) => reasoning)).toEqual([
      'Good. Every judge of this response is its own model.',
      'Good.',
    ]);
  });

  it('in speed_pair makes two readings of a lone judge one opinion, of one sentence', async () => {
    app.models.play(judgeScript({ x: (_, place) => ({ ...allAt(place === 0 ? 6 : 9), reasoning: 'Short.' }) }));
    const { body, calls } = await app.evaluate({ strategy: 'speed_pair', judge_models: judges('x') });
    expect(calls.map(({ prompt }) => prompt.turns[0]?.text.includes('one short sentence'))).toEqual([true, true]);
    for (const one of body.evaluations) {
      expect(one).toMatchObject({ overallScore: 7.5, scoredByJudges: 1, totalJudges: 1, reasoning: 'Short.' });
      expect(one).not.toHaveProperty('divergencePercent');
    }
  });
});
