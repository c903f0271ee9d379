import { ModelFault } from '../../src/models/model-fault';
import { errorBody } from '../support/api-errors';
import { QUESTION, sharedApp } from '../support/app';
import { PLAIN } from '../support/scripted-models';
import { readStream } from '../support/wire';

/** Entries of `ai_ensemble.models` as objects: what is said of one participant holds for its own calls. */

const REFUSED: readonly (readonly [entry: object, error: string])[] = [
  [{ id: 'demo-ada', temperature: -0.1 }, 'temperature: must be between 0 and 2'],
  [{ id: 'demo-ada', temperature: 2.1 }, 'temperature: must be between 0 and 2'],
  [{ id: 'demo-ada', temperature: '1' }, 'temperature: must be between 0 and 2'],
  [
    { name: 'Demo Ada', reasoningEffort: 'most' },
    'reasoningEffort: must be one of none, minimal, low, medium, high, xhigh, max',
  ],
  [{ id: 'demo-ada', systemPrompt: ['x'] }, 'systemPrompt: must be a string'],
  [{ id: 'demo-ada', label: 5 }, 'label: must be a string'],
  [{ id: 'demo-ada', label: ' ' }, 'label: must not be blank'],
  [{ id: 'demo-ada', label: 'x'.repeat(61) }, 'label: at most 60 characters'],
];

describe('an entry of ai_ensemble.models with settings', () => {
  const app = sharedApp();

  it.each(REFUSED)('%j is refused by its field', async (entry, error) => {
    const { status, body } = await app.complete({ ai_ensemble: { models: ['demo-curie', entry] } });
    expect({ status, body }).toEqual({ status: 400, body: errorBody(`Invalid ai_ensemble.models[1].${error}`) });
  });

  it('null fields, unknown ones and an empty systemPrompt say nothing', async () => {
    const entry = { id: 'demo-ada', temperature: null, reasoningEffort: null, systemPrompt: '', label: null, top_k: 4 };
    const { calls, body } = await app.complete({ ai_ensemble: { models: [entry] } });
    // As a plain id: one model, asked directly.
    expect(calls.map(({ purpose, sampling, prompt }) => [purpose, sampling, prompt.system])).toEqual([
      ['answer', {}, undefined],
    ]);
    expect(body).not.toHaveProperty('degraded');
  });

  it('one model thrice at different temperatures is a self-consistency panel: the answer has the request’s', async () => {
    const models = [0, 0.7, 2].map((temperature) => ({ id: 'demo-curie', temperature }));
    const { calls } = await app.complete({ temperature: 1, ai_ensemble: { models, rounds: 2 } });
    const temperatures = (wanted: string) =>
      calls.filter(({ purpose }) => purpose === wanted).map(({ sampling }) => sampling.temperature);
    expect(temperatures('draft')).toEqual([0, 0.7, 2]);
    expect(temperatures('revise')).toEqual([0, 0.7, 2]);
    expect(temperatures('answer')).toEqual([1]);
  });

  it('the arbiter’s own model with settings of its own is asked as a participant first', async () => {
    const { calls } = await app.complete({ ai_ensemble: { models: [{ id: 'demo-ada', temperature: 1.5 }] } });
    expect(calls.map(({ purpose, sampling }) => [purpose, sampling])).toEqual([
      ['draft', { temperature: 1.5 }],
      ['answer', {}],
    ]);
  });

  it('a systemPrompt is cut to 100,000 characters', async () => {
    const models = [{ id: 'demo-curie', systemPrompt: 'x'.repeat(100_001) }];
    const { calls } = await app.complete({ ai_ensemble: { models } });
    expect(calls[0]?.prompt.system).toHaveLength(100_000);
  });

  it('a judgement of such a participant is at default sampling', async () => {
    const models = ['demo-ada', 'demo-blaise', 'demo-curie', 'demo-ada'].map((id) => ({ id, temperature: 1.8 }));
    const { calls } = await app.complete({ ai_ensemble: { strategy: 'hierarchical', models } });
    const sampled = new Map(calls.map(({ purpose, sampling }) => [purpose, sampling]));
    expect(Object.fromEntries(sampled)).toEqual({
      plan: {},
      draft: { temperature: 1.8 },
      review: {},
      answer: {},
    });
  });

  it('its systemPrompt follows what is shared, in all of its own calls, and is nobody else’s', async () => {
    const { calls } = await app.complete({
      model: 'ensemble',
      messages: [
        { role: 'system', content: 'Shared.' },
        { role: 'user', content: QUESTION },
      ],
      ai_ensemble: { rounds: 2, models: [{ id: 'demo-blaise', systemPrompt: 'Be a sceptic.' }, 'demo-curie'] },
    });
    const shown = (model: string) =>
      calls.flatMap(({ providerModel, purpose, prompt }) =>
        providerModel === model ? [[purpose, prompt.system]] : [],
      );
    const sceptic = 'Shared.\n\nBe a sceptic.';
    expect(shown('demo-blaise')).toEqual([
      ['draft', sceptic],
      ['revise', sceptic],
    ]);
    expect(shown('demo-curie')).toEqual([
      ['draft', 'Shared.'],
      ['revise', 'Shared.'],
    ]);
    expect(shown('demo-ada')).toEqual([['answer', 'Shared.']]);
  });

  it('who steps in for the arbiter writes with the request’s instructions and sampling, not its own', async () => {
    app.models.play(({ providerModel }) =>
      providerModel === 'demo-ada'
        ? { text: '', fault: new ModelFault('overloaded', { retryAfterSeconds: 9_999 }) }
        : { text: 'A berry.' },
    );
    const { calls } = await app.complete({
      temperature: 0.2,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: QUESTION },
      ],
      ai_ensemble: { models: [{ id: 'demo-curie', temperature: 2, systemPrompt: 'Ramble.' }] },
    });
    const last = calls.at(-1);
    expect(last).toMatchObject({ providerModel: 'demo-curie', purpose: 'answer', sampling: { temperature: 0.2 } });
    expect(last?.prompt.system).toBe('Be brief.');
  });

  it('settings that a model does not take are not sent, and that is said', async () => {
    const models = [
      { id: 'o3-house', temperature: 0.7, reasoningEffort: 'low' },
      { id: 'demo-curie', reasoningEffort: 'high', label: 'The chemist' },
    ];
    const { calls, body } = await app.complete({ ai_ensemble: { models } });
    expect(calls.slice(0, 2).map(({ sampling, reasoningEffort }) => [sampling, reasoningEffort])).toEqual([
      [{}, 'low'],
      [{}, undefined],
    ]);
    expect(body.degraded).toEqual([
      'o3-house takes no temperature: 0.7 was not sent',
      'The chemist takes no reasoning effort: high was not sent',
    ]);
  });

  it('an effort that the model itself refuses is left out, and that is said', async () => {
    app.models.play((call) => {
      const fault = new ModelFault('bad_request', { refuses: ['reasoningEffort'] });
      return call.reasoningEffort ? { text: '', usage: null, fault } : PLAIN(call);
    });
    const models = [{ id: 'o3-picky', reasoningEffort: 'low', label: 'The thinker' }, 'demo-curie'];
    const { calls, body } = await app.complete({ ai_ensemble: { models, rounds: 2, includeCandidates: true } });
    const efforts = calls
      .filter(({ providerModel }) => providerModel === 'o3-picky')
      .map((call) => call.reasoningEffort);
    expect(efforts).toEqual(['low', undefined, undefined]);
    expect(body.choices[0].candidates).toHaveLength(2);
    expect(body.degraded).toEqual(['The thinker refuses reasoning effort low: it was asked without']);
  });

  it('a temperature that the model itself refuses is left out, and that is said', async () => {
    app.models.play((call) => {
      const fault = new ModelFault('bad_request', { refuses: ['temperature'] });
      return call.sampling.temperature === undefined ? PLAIN(call) : { text: '', usage: null, fault };
    });
    const { body } = await app.complete({ model: 'house', temperature: 0.3 });
    expect(body.degraded).toEqual(['house refuses the temperature: it was asked without']);
  });

  it('labels name participants in status, candidates and explanation; equal ones are numbered', async () => {
    const models = [
      { id: 'demo-curie', label: 'cold', temperature: 0 },
      { id: 'demo-curie', label: 'warm', temperature: 1 },
      { id: 'demo-blaise', label: 'warm' },
      'demo-curie',
    ];
    const options = { models, includeCandidates: true, includeReasoning: true, strategy: 'debate_tournament' };
    const { body } = await app.complete({ ai_ensemble: options });
    expect(body.choices[0].candidates?.map(({ modelName, label }) => [modelName, label])).toEqual([
      ['Demo Curie', 'cold'],
      ['Demo Curie', 'warm'],
      ['Demo Blaise', 'warm'],
      ['Demo Curie', undefined],
    ]);
    expect(body.choices[0].message.explanation).toContain(
      '- cold: proposition\n- warm (2): proposition\n- warm (1): opposition\n- Demo Curie: opposition',
    );
    const { chunks } = await readStream(await app.chat({ stream: true, ai_ensemble: options }));
    const status = chunks.flatMap((chunk) => chunk.status ?? []);
    expect(status).toContain('Round 1 of 1, both sides: warm (2), warm (1), Demo Curie are answering');
    const streamed = chunks.flatMap((chunk) => chunk.candidates ?? []);
    expect(streamed.map(({ model, label }) => [model, label])).toEqual([
      ['Demo Curie', 'cold'],
      ['Demo Curie', 'warm'],
      ['Demo Blaise', 'warm'],
      ['Demo Curie', undefined],
    ]);
  });
});
