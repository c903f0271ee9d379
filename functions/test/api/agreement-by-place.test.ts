import { type App, startApp } from '../support/app';
import type { Script } from '../support/scripted-models';
import { FORM, FORMAT, GOOD } from '../support/verdict-format';

/** Agreement of candidates with an answer that is held to a schema (docs/api.md, Structured output). */

let app: App;
beforeAll(async () => {
  app = await startApp();
});
beforeEach(() => app.models.reset());
afterAll(() => app.close());

describe('agreement by place', () => {
  const drafts: Readonly<Record<string, string>> = {
    'demo-blaise': `I say:\n${GOOD}\nREVISION: changed`,
    'demo-curie': '{"fruit": true, "why": "Cooks disagree."}',
    'demo-ada': 'A tomato is a berry.',
  };
  const script: Script = (call) => ({ text: call.purpose === 'answer' ? GOOD : (drafts[call.providerModel] ?? '') });
  const fields = {
    response_format: FORMAT,
    ai_ensemble: { models: Object.keys(drafts), strategy: 'collaborative_synthesis', includeCandidates: true },
  };
  const EXPECTED = { '/fruit': 0.6667, '/why': 0.3333 };

  it('is told by pointer, beside the candidates, whose texts stay as they are', async () => {
    app.models.play(script);
    const { body } = await app.complete(fields);
    const [choice] = body.choices;
    expect(choice).toMatchObject({ agreement: EXPECTED });
    expect(choice.candidates?.map(({ response }) => response)).toContain('A tomato is a berry.');
  });

  it('of responses it stands beside the candidates, too', async () => {
    app.models.play(script);
    const { body } = await app.respond({
      text: { format: { type: 'json_schema', ...FORM } },
      ai_ensemble: fields.ai_ensemble,
    });
    expect(body).toMatchObject({ agreement: EXPECTED });
  });

  it.each<[rule: string, change: object]>([
    ['without candidates', { ai_ensemble: { ...fields.ai_ensemble, includeCandidates: false } }],
    ['without a schema', { response_format: { type: 'json_object' } }],
    ['without a form', { response_format: undefined }],
  ])('%s there is none', async (_, change) => {
    app.models.play(script);
    const { body } = await app.complete({ ...fields, ...change });
    expect(Object.keys(body.choices[0].agreement ?? {}).filter((name) => name.startsWith('/'))).toEqual([]);
  });
});
