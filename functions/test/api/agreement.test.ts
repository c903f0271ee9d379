import { type App, RUN_ENDPOINTS, startApp } from '../support/app';
import { PLAIN, type Script } from '../support/scripted-models';
import { readStream, type WireRun } from '../support/wire';

/** Place of `agreement` in replies (docs/api.md, Agreement). */

const DRAFTS: Readonly<Record<string, string>> = {
  'demo-ada': 'It has seeds.\nANSWER: yes',
  'demo-blaise': 'ANSWER: Yes.',
  'demo-curie': 'Cooks say so.\nANSWER: no',
};
const SPLIT = { share: 0.3333, measuredOn: 'final_answers', words: '2 of 3 final answers are the same.' };
const PANEL = { ai_ensemble: { models: Object.keys(DRAFTS) } };
const script: Script = (call) => (call.purpose === 'draft' ? { text: DRAFTS[call.providerModel] ?? '' } : PLAIN(call));

let app: App;
beforeAll(async () => {
  app = await startApp();
});
beforeEach(() => {
  app.models.reset();
  app.models.play(script);
});
afterAll(() => app.close());

const agreementIn = ({ choices, ...reply }: WireRun) => (choices ? choices[0].agreement : reply.agreement);

it.each(RUN_ENDPOINTS)('$path tells it, asked for or not', async ({ send }) => {
  const { body } = await send(app, PANEL);
  expect(agreementIn(body)).toEqual(SPLIT);
});

it.each(RUN_ENDPOINTS)('$path of a single model has none', async ({ send }) => {
  const { body } = await send(app);
  expect(body.choices?.[0] ?? body).not.toHaveProperty('agreement');
});

it('streams tell it with the explanation, and the trace in its verdict', async () => {
  const fields = { ai_ensemble: { ...PANEL.ai_ensemble, includeReasoning: true, includeTrace: true } };
  const { chunks } = await readStream(await app.chat({ ...fields, stream: true }));
  const final = chunks.filter(({ choices }) => choices[0]?.finish_reason === 'stop');
  expect(final).toMatchObject([{ choices: [{ agreement: SPLIT, explanation: expect.any(String) }] }]);
  const events = chunks.flatMap((chunk) => ('trace' in chunk ? [chunk.trace] : []));
  expect(events).toContainEqual(expect.objectContaining({ type: 'verdict', agreement: SPLIT }));
});
