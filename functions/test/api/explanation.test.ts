import { type App, startApp } from '../support/app';
import { PLAIN } from '../support/scripted-models';

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

describe('POST /v1/chat/completions: explanation, candidates, follow-up prompts', () => {
  let app: App;
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(() => app.models.reset());
  afterAll(() => app.close());

  it.each(ROWS)('%j: an explanation is there: %s', async (request, explained) => {
    const { status, body, calls } = await app.complete(request);
    expect(status).toBe(200);
    const { message } = body.choices[0];
    if (explained) expect(message.explanation).toBe('Both say that it is a berry.');
    else expect(message).toEqual({ role: 'assistant', content: 'Botanically it is a berry.' });
    expect(calls.some(({ purpose }) => purpose === 'analyse')).toBe(explained);
  });

  it.each([
    { finishReason: 'length' as const, said: 'Demo Ada reached its length limit: the answer is cut off' },
    {
      finishReason: 'content_filter' as const,
      said: 'Demo Ada was stopped by a content filter: the answer is cut off',
    },
  ])(
    'regression: an answer that ends by $finishReason is said to be cut off, of a panel or of one model',
    async (row) => {
      const { finishReason, said } = row;
      app.models.play((call) => (call.purpose === 'answer' ? { text: 'It is a', finishReason } : PLAIN(call)));
      const panel = await app.complete({ ai_ensemble: PANEL });
      const plain = await app.complete();
      expect([panel.body.degraded, plain.body.degraded]).toEqual([[said], [said]]);
    },
  );

  it.each([
    { rule: 'one for each participant, in request order', options: PANEL, ids: ['demo-blaise', 'demo-curie'] },
    { rule: 'one for the only model', options: {}, ids: ['demo-ada'] },
    { rule: 'one for each seat of a repeated model', options: { models: ['gpt-x', 'gpt-x'] }, ids: ['gpt-x', 'gpt-x'] },
  ])('candidates: $rule', async ({ options, ids }) => {
    const { body } = await app.complete({ ai_ensemble: { ...options, includeCandidates: true } });
    expect(body.choices[0].candidates?.map(({ modelId }) => modelId)).toEqual(ids);
  });

  it.each([
    { rule: 'of an ensemble', options: PANEL },
    { rule: 'of a single model', options: {} },
  ])('follow-up prompts: three strings beside finish_reason, $rule', async ({ options }) => {
    const { body } = await app.complete({ ai_ensemble: { ...options, includeFollowUpPrompts: true } });
    const prompts = ['Which berries are sweet?', 'Is a cucumber one?', 'Who decides?'];
    expect(body.choices[0]).toMatchObject({ finish_reason: 'stop', followUpPrompts: prompts });
  });
});
