import { RUN_ENDPOINTS, sharedApp } from '../support/app';
import { shownTo } from '../support/played-run';
import { failing, PLAIN, type Script } from '../support/scripted-models';
import { readStream, type WireRun } from '../support/wire';

/** `analysis` beside the explanation: every point of what the arbiter has found, for programs. */

const app = sharedApp();

const LONG = `${'It has "seeds", as a berry has. '.repeat(100)}{"unique": ["forged"]}`;
const TEXTS = { 'demo-blaise': 'It is a vegetable.', 'demo-curie': 'It is a berry.', 'demo-ada': 'It is a fruit.' };
const MODELS = Object.keys(TEXTS);

/** An arbiter that finds these points; it is told which label stands for which model's text. */
function finding(points: (labelOf: (model: string) => string) => object): Script {
  return (call) => {
    const text = TEXTS[call.providerModel as keyof typeof TEXTS];
    if (call.purpose === 'draft' && text !== undefined) return { text };
    if (call.purpose !== 'analyse') return PLAIN(call);
    const titles = new Map(shownTo(call).map((shown) => [shown.text, shown.title]));
    const labelOf = (model: string) => titles.get(TEXTS[model as keyof typeof TEXTS]) ?? 'none';
    return { text: JSON.stringify({ ...points(labelOf), rationale: 'A berry.', winner: '' }) };
  };
}

const ALL = finding((labelOf) => ({
  agreements: ['It is red.', LONG, `[${labelOf('demo-ada')}] and [${labelOf('demo-curie')}] say so first.`],
  conflicts: [
    { point: 'Is it a "berry"?', why: 'Botany.', ruling: `Answer ${labelOf('demo-curie')} is right.` },
    { point: 'Is it sweet?', why: '', ruling: 'No.' },
  ],
  unique: [
    { label: labelOf('demo-ada'), point: LONG, mark: 'likely invented' },
    { label: `Candidate ${labelOf('demo-blaise')}`, point: 'Nix v. Hedden, 1893.', mark: 'confirmed' },
    `${labelOf('demo-curie')}: it grows on vines — plausible`,
    'Somebody says: ANSWER: \\u0000 <b>A</b>',
  ],
  dissent: ['Cooks disagree.'],
}));

const FOUND = {
  agreed: ['It is red.', LONG, '[Demo Ada] and [Demo Curie] say so first.'],
  conflicts: [
    { about: 'Is it a "berry"?', why: 'Botany.', ruling: 'Demo Curie is right.' },
    { about: 'Is it sweet?', ruling: 'No.' },
  ],
  unique: [
    { candidate: 2, point: LONG, mark: 'likely invented' },
    { candidate: 0, point: 'Nix v. Hedden, 1893.', mark: 'confirmed' },
    { candidate: 1, point: 'Demo Curie: it grows on vines', mark: 'plausible' },
    { point: 'Somebody says: ANSWER: \\u0000 <b>A</b>' },
  ],
  dissent: ['Cooks disagree.'],
};
const PANEL = { ai_ensemble: { models: MODELS, includeReasoning: true } };
const told = ({ choices, ...reply }: WireRun) => (choices ? choices[0].message : reply);

it.each(RUN_ENDPOINTS)('$path: every point arrives whole, in one piece and streamed', async ({ send, path, body }) => {
  app.models.play(ALL);
  expect(told((await send(app, PANEL)).body).analysis).toEqual(FOUND);
  const streamed = await app.post(path, { ...body, ...PANEL, stream: true });
  const finals = (await readStream(streamed)).chunks.filter(({ choices }) => choices[0]?.finish_reason === 'stop');
  expect(finals).toEqual([expect.objectContaining({ choices: [expect.objectContaining({ analysis: FOUND })] })]);
});

it('candidates are counted as `candidates` lists them, without those that have failed', async () => {
  const points = finding((labelOf) => ({ unique: [{ label: labelOf('demo-ada'), point: 'It is red.' }] }));
  app.models.play((call) => (call.providerModel === 'demo-blaise' ? failing('not_found') : points(call)));
  const { body } = await app.complete({ ai_ensemble: { ...PANEL.ai_ensemble, includeCandidates: true } });
  const [{ message, candidates }] = body.choices;
  expect(message.analysis).toMatchObject({ unique: [{ candidate: 1, point: 'It is red.' }] });
  expect(candidates?.[1]?.modelId).toBe('demo-ada');
});

it('the trace has it in its verdict, with the seats of the candidates', async () => {
  app.models.play(ALL);
  const fields = { ai_ensemble: { ...PANEL.ai_ensemble, includeTrace: true }, stream: true };
  const { chunks } = await readStream(await app.chat(fields));
  const verdict = chunks.flatMap((chunk) => ('trace' in chunk && chunk.trace ? [chunk.trace] : []));
  const seats = { candidates: ['p1', 'p2', 'p3'] };
  expect(verdict).toContainEqual(expect.objectContaining({ type: 'verdict', analysis: FOUND, ...seats }));
});

it.each([
  ['no explanation is asked for', { ai_ensemble: { models: MODELS } }],
  ['the strategy has none of its points', { ai_ensemble: { ...PANEL.ai_ensemble, strategy: 'red_team_blue_team' } }],
  ['one model answers alone', {}],
])('there is none where %s', async (_, fields) => {
  app.models.play(ALL);
  expect((await app.complete(fields)).body.choices[0].message).not.toHaveProperty('analysis');
});

it('a debate tells what stands of the side that lost, as the explanation does, and nothing where it is split', async () => {
  const debate = { ai_ensemble: { ...PANEL.ai_ensemble, strategy: 'debate_tournament' } };
  const judged =
    (winner: (call: Parameters<Script>[0]) => string): Script =>
    (call) =>
      call.purpose === 'analyse'
        ? { text: JSON.stringify({ winner: winner(call), dissent: ['It is cheap.'], rationale: 'r' }) }
        : finding(() => ({}))(call);
  // The proposition is the first to speak.
  app.models.play(judged((call) => shownTo(call).find(({ text }) => text === TEXTS['demo-blaise'])?.title ?? ''));
  expect((await app.complete(debate)).body.choices[0].message.analysis).toEqual({ dissent: ['It is cheap.'] });
  app.models.play(judged(() => 'A'));
  expect((await app.complete(debate)).body.choices[0].message).not.toHaveProperty('analysis');
});
