import { RUN_ENDPOINTS, sharedApp } from '../support/app';
import { PLAIN, type Script } from '../support/scripted-models';
import { FORM, FORMAT, GOOD } from '../support/verdict-format';
import { readStream, type WireRun } from '../support/wire';

/** Explanation, candidates, follow-up prompts and agreement: which of them stand beside an answer, and where. */

const PANEL = { models: ['demo-blaise', 'demo-curie'] };

/** Requests, and whether `message.explanation` is there. */
const ROWS: readonly (readonly [request: Record<string, unknown>, explained: boolean])[] = [
  [{ ai_ensemble: PANEL }, false],
  ...['minimal', 'low', 'medium', 'high', 'xhigh'].map(
    (effort) => [{ ai_ensemble: PANEL, reasoning: { effort } }, true] as const,
  ),
  [{ ai_ensemble: PANEL, reasoning: { effort: 'none' } }, false],
  [{ ai_ensemble: PANEL, reasoning: {} }, false],
  [{ ai_ensemble: { ...PANEL, includeReasoning: true } }, true],
  [{ ai_ensemble: { ...PANEL, includeReasoning: false }, reasoning: { effort: 'high' } }, false],
  [{ ai_ensemble: { ...PANEL, includeReasoning: null }, reasoning: { effort: 'high' } }, true],
  [{ reasoning: { effort: 'low' } }, true],
];

const app = sharedApp();

it.each(ROWS)('%j: an explanation is there: %s', async (request, explained) => {
  const { status, body, calls } = await app.complete(request);
  const message = { role: 'assistant', content: 'Botanically it is a berry.' };
  const explanation = explained && { explanation: 'Both say that it is a berry.' };
  expect([status, body.choices[0].message]).toEqual([200, { ...message, ...explanation }]);
  expect(calls.some(({ purpose }) => purpose === 'analyse')).toBe(explained);
});

it.each([
  { finishReason: 'length' as const, said: 'Demo Ada reached its length limit: the answer is cut off' },
  { finishReason: 'content_filter' as const, said: 'Demo Ada was stopped by a content filter: the answer is cut off' },
])(
  'regression: an answer that ends by $finishReason is said to be cut off, of a panel or of one model',
  async (row) => {
    const { finishReason, said } = row;
    app.models.play((call) => (call.purpose === 'answer' ? { text: 'It is a', finishReason } : PLAIN(call)));
    const [panel, plain] = [await app.complete({ ai_ensemble: PANEL }), await app.complete()];
    expect([panel.body.degraded, plain.body.degraded]).toEqual([[said], [said]]);
  },
);

it.each([
  { rule: 'one for each participant, in request order', options: PANEL, ids: PANEL.models },
  { rule: 'one for the only model', options: {}, ids: ['demo-ada'] },
  { rule: 'one for each seat of a repeated model', options: { models: ['gpt-x', 'gpt-x'] }, ids: ['gpt-x', 'gpt-x'] },
])('candidates: $rule; follow-up prompts: three strings', async ({ options, ids }) => {
  const ai_ensemble = { ...options, includeCandidates: true, includeFollowUpPrompts: true };
  const { body } = await app.complete({ ai_ensemble });
  expect(body.choices[0].candidates?.map(({ modelId }) => modelId)).toEqual(ids);
  const prompts = ['Which berries are sweet?', 'Is a cucumber one?', 'Who decides?'];
  expect(body.choices[0]).toMatchObject({ finish_reason: 'stop', followUpPrompts: prompts });
});

/** The texts of a panel, and the script by which it writes them. */
const drafting = (drafts: Readonly<Record<string, string>>, answer?: string): Script => {
  return (call) => {
    if (call.purpose === 'draft') return { text: drafts[call.providerModel] ?? '' };
    return answer === undefined ? PLAIN(call) : { text: answer };
  };
};

describe('agreement', () => {
  const DRAFTS = {
    'demo-ada': 'It has seeds.\nANSWER: yes',
    'demo-blaise': 'ANSWER: Yes.',
    'demo-curie': 'Cooks say so.\nANSWER: no',
  };
  const SPLIT = { share: 0.3333, measuredOn: 'final_answers', words: '2 of 3 final answers are the same.' };
  const ai_ensemble = { models: Object.keys(DRAFTS) };
  beforeEach(() => app.models.play(drafting(DRAFTS)));

  it.each(RUN_ENDPOINTS)('$path tells it, asked for or not, and of a single model none', async ({ send }) => {
    const told = ({ choices, ...reply }: WireRun) => (choices ? choices[0] : reply);
    expect(told((await send(app, { ai_ensemble })).body).agreement).toEqual(SPLIT);
    expect(told((await send(app)).body)).not.toHaveProperty('agreement');
  });

  it('streams tell it with the explanation, and the trace in its verdict', async () => {
    const fields = { ai_ensemble: { ...ai_ensemble, includeReasoning: true, includeTrace: true } };
    const { chunks } = await readStream(await app.chat({ ...fields, stream: true }));
    const final = chunks.filter(({ choices }) => choices[0]?.finish_reason === 'stop');
    expect(final).toMatchObject([{ choices: [{ agreement: SPLIT, explanation: expect.any(String) }] }]);
    const events = chunks.flatMap((chunk) => ('trace' in chunk ? [chunk.trace] : []));
    expect(events).toContainEqual(expect.objectContaining({ type: 'verdict', agreement: SPLIT }));
  });
});

describe('agreement by place, of an answer that is held to a schema', () => {
  const DRAFTS = {
    'demo-blaise': `I say:\n${GOOD}\nREVISION: changed`,
    'demo-curie': '{"fruit": true, "why": "Cooks disagree."}',
    'demo-ada': 'A tomato is a berry.',
  };
  const EXPECTED = { '/fruit': 0.6667, '/why': 0.3333 };
  const options = { models: Object.keys(DRAFTS), strategy: 'collaborative_synthesis', includeCandidates: true };
  beforeEach(() => app.models.play(drafting(DRAFTS, GOOD)));

  it('is told by pointer, beside the candidates, whose texts stay as they are', async () => {
    const [choice] = (await app.complete({ response_format: FORMAT, ai_ensemble: options })).body.choices;
    expect(choice).toMatchObject({ agreement: EXPECTED });
    expect(choice.candidates?.map(({ response }) => response)).toContain('A tomato is a berry.');
    const text = { format: { type: 'json_schema', ...FORM } };
    expect((await app.respond({ text, ai_ensemble: options })).body).toMatchObject({ agreement: EXPECTED });
  });

  it.each<[rule: string, change: object]>([
    ['without candidates', { ai_ensemble: { ...options, includeCandidates: false } }],
    ['without a schema', { response_format: { type: 'json_object' } }],
    ['without a form', { response_format: undefined }],
  ])('%s there is none', async (_, change) => {
    const { body } = await app.complete({ response_format: FORMAT, ai_ensemble: options, ...change });
    expect(Object.keys(body.choices[0].agreement ?? {}).filter((name) => name.startsWith('/'))).toEqual([]);
  });
});
