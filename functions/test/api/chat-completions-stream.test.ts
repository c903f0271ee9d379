import { type App, startApp } from '../support/app';
import { PLAIN } from '../support/scripted-models';
import { readStream, type WireChunk, type WireStream } from '../support/wire';

const NOW_MS = Date.UTC(2026, 0, 15, 12, 0);
const HEAD = {
  id: `chatcmpl-${NOW_MS}`,
  object: 'chat.completion.chunk',
  created: NOW_MS / 1000,
  model: 'demo-ada',
};
const EVERYTHING = {
  stream: true,
  reasoning: { effort: 'high' },
  ai_ensemble: {
    models: ['demo-blaise', 'demo-curie'],
    rounds: 2,
    includeCandidates: true,
    includeFollowUpPrompts: true,
  },
};

/** Both write the same draft, and the same once more. */
const SAME = { share: 1, measuredOn: 'final_answers', words: 'Both final answers are the same.' };

/** What a chunk is for, told by its fields alone. */
function kindOf({ choices, status, candidates, usage }: WireChunk): string {
  const [choice] = choices;
  if (usage) return 'usage';
  if (candidates) return 'candidates';
  if (status !== undefined) return 'progress';
  if (choice?.finish_reason === 'stop') return 'final';
  if (choice?.delta.role !== undefined) return 'opening';
  return choice?.delta.content === undefined ? 'unknown' : 'delta';
}

/** The kinds in order, neighbours of one kind once. */
function order({ chunks }: WireStream): string[] {
  return chunks.map(kindOf).filter((kind, index, kinds) => kind !== kinds[index - 1]);
}

describe('POST /v1/chat/completions: the stream', () => {
  let app: App;
  beforeEach(async () => {
    app = await startApp();
  });
  afterEach(() => app.close());

  const streamed = async (fields: Record<string, unknown> = { stream: true }): Promise<WireStream> =>
    readStream(await app.chat(fields));
  const chunksOf = async (kind: string, fields?: Record<string, unknown>): Promise<WireChunk[]> =>
    (await streamed(fields)).chunks.filter((chunk) => kindOf(chunk) === kind);

  it.each([
    { rule: 'one model', fields: { stream: true }, kinds: ['opening', 'progress', 'delta', 'usage', 'final'] },
    {
      rule: 'everything asked for',
      fields: EVERYTHING,
      kinds: ['opening', 'progress', 'delta', 'candidates', 'usage', 'final'],
    },
  ])('the kinds of chunk come in the documented order, [DONE] last: $rule', async ({ fields, kinds }) => {
    const stream = await streamed(fields);
    expect(order(stream)).toEqual(kinds);
    expect(stream.done).toBe(true);
    expect(stream.raw.endsWith('\n\ndata: [DONE]\n\n')).toBe(true);
    expect(stream.raw.split('[DONE]')).toHaveLength(2);
  });

  it.each(['opening', 'candidates', 'usage', 'final'])('there is exactly one %s chunk', async (kind) => {
    expect(await chunksOf(kind, EVERYTHING)).toHaveLength(1);
  });

  it('the first chunk is the only one with a role', async () => {
    const { chunks } = await streamed(EVERYTHING);
    const [first, ...rest] = chunks;
    const choices = [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }];
    expect(first).toStrictEqual({ ...HEAD, choices });
    expect(rest.filter(({ choices: [choice] }) => choice?.delta.role !== undefined)).toEqual([]);
  });

  it('all chunks share id, object, created and model', async () => {
    const { chunks } = await streamed(EVERYTHING);
    const heads = chunks.map(({ id, object, created, model }) => ({ id, object, created, model }));
    expect(heads).toEqual(chunks.map(() => HEAD));
  });

  it('progress chunks have an empty delta and a status', async () => {
    const progress = await chunksOf('progress', EVERYTHING);
    expect(progress.length).toBeGreaterThan(2);
    const choices = [{ index: 0, delta: {}, finish_reason: null }];
    for (const chunk of progress) {
      expect(chunk).toStrictEqual({ ...HEAD, choices, status: expect.stringMatching(/\S/) });
    }
  });

  it('delta chunks carry the answer and nothing else', async () => {
    app.models.play(() => ({ text: 'A berry — “Beere” 🍅,\n\nsurely.' }));
    const deltas = await chunksOf('delta');
    for (const chunk of deltas) {
      const choices = [{ index: 0, delta: { content: expect.any(String) }, finish_reason: null }];
      expect(chunk).toStrictEqual({ ...HEAD, choices });
    }
    expect(deltas.map(({ choices: [choice] }) => choice?.delta.content).join('')).toBe(
      'A berry — “Beere” 🍅,\n\nsurely.',
    );
  });

  it('only the answer is streamed, never a draft, a revision or the analysis', async () => {
    expect((await streamed(EVERYTHING)).content).toBe('Botanically it is a berry.');
  });

  it('the candidates chunk has model, text and reasoning of each participant', async () => {
    const [chunk] = await chunksOf('candidates', EVERYTHING);
    expect(chunk).toStrictEqual({
      ...HEAD,
      choices: [{ index: 0, delta: {}, finish_reason: null }],
      candidates: [
        { model: 'Demo Blaise', text: 'A better draft.', reasoning: '' },
        { model: 'Demo Curie', text: 'A better draft.', reasoning: '' },
      ],
    });
  });

  it('there is no candidates chunk unless asked for', async () => {
    const ai_ensemble = { models: ['demo-blaise', 'demo-curie'] };
    expect(await chunksOf('candidates', { stream: true, ai_ensemble })).toEqual([]);
  });

  it('the final chunk carries finish_reason, explanation and follow-up prompts', async () => {
    const [chunk] = await chunksOf('final', EVERYTHING);
    expect(chunk).toStrictEqual({
      ...HEAD,
      choices: [
        {
          index: 0,
          delta: {},
          finish_reason: 'stop',
          explanation: 'Both say that it is a berry.',
          agreement: SAME,
          followUpPrompts: ['Which berries are sweet?', 'Is a cucumber one?', 'Who decides?'],
        },
      ],
    });
  });

  it('the final chunk of a plain request has finish_reason alone', async () => {
    const [chunk] = await chunksOf('final');
    expect(chunk).toStrictEqual({ ...HEAD, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  });

  it('the final chunk says where the run was less than asked for', async () => {
    app.models.play((call) => (call.purpose === 'plan' ? { text: 'Just do it.' } : PLAIN(call)));
    const ai_ensemble = { strategy: 'hierarchical', models: ['demo-blaise', 'demo-curie'] };
    const [chunk] = await chunksOf('final', { stream: true, ai_ensemble });
    expect(chunk?.degraded).toEqual(['Demo Blaise gave no usable plan: every implementer does the whole task']);
  });

  // A demo model costs 100 nano-USD a prompt token and 400 a completion token; a unit is 1000 nano-USD.
  it.each([
    { rule: 'rounded up from a fraction', promptTokens: 3, completionTokens: 1, units: 1 },
    { rule: 'a whole number stays', promptTokens: 2, completionTokens: 2, units: 1 },
    { rule: 'just above a whole number', promptTokens: 3, completionTokens: 2, units: 2 },
    { rule: 'many', promptTokens: 25, completionTokens: 30, units: 15 },
  ])('the usage chunk has empty choices; unifiedTokens is the cost in micro-USD: $rule', async (row) => {
    const { promptTokens, completionTokens, units } = row;
    app.models.play(() => ({ text: 'Yes.', usage: { promptTokens, completionTokens } }));
    const [chunk] = await chunksOf('usage');
    expect(chunk).toStrictEqual({
      ...HEAD,
      choices: [],
      usage: {
        prompt_tokens: promptTokens,
        completion_tokens: completionTokens,
        total_tokens: promptTokens + completionTokens,
        input_tokens: promptTokens,
        output_tokens: completionTokens,
        unifiedTokens: units,
      },
    });
  });

  it('usage sums all calls and details cached tokens', async () => {
    app.models.play(() => ({ text: 'Yes.', usage: { promptTokens: 9, completionTokens: 1, cachedPromptTokens: 4 } }));
    const ai_ensemble = { models: ['demo-blaise', 'demo-curie'] };
    const [chunk] = await chunksOf('usage', { stream: true, ai_ensemble });
    expect(chunk?.usage).toMatchObject({
      prompt_tokens: 27,
      completion_tokens: 3,
      total_tokens: 30,
      input_token_details: { cached_tokens: 12 },
      // 27·100 + 3·400 = 3900 nano-USD
      unifiedTokens: 4,
    });
  });

  it('there is no usage chunk when no tokens were consumed', async () => {
    app.models.play(() => ({ text: 'Yes.', usage: { promptTokens: 0, completionTokens: 0 } }));
    const stream = await streamed();
    expect(order(stream)).toEqual(['opening', 'progress', 'delta', 'final']);
  });

  it.each([
    { rule: 'one model', fields: {} },
    { rule: 'an ensemble with everything', fields: { ...EVERYTHING, stream: false } },
    { rule: 'a virtual model', fields: { model: 'ensemble-expert-panel' } },
  ])('stream and JSON say the same for the same request: $rule', async ({ fields }) => {
    const { body } = await app.complete(fields);
    const { content, chunks } = await streamed({ ...fields, stream: true });
    const [choice] = body.choices;
    const final = chunks.at(-1);
    expect(content).toBe(choice.message.content);
    expect(final?.choices[0]?.explanation).toBe(choice.message.explanation);
    expect(final?.choices[0]?.followUpPrompts).toEqual(choice.followUpPrompts);
    expect(final?.degraded).toEqual(body.degraded);
    const { unifiedTokens: _, ...usage } = chunks.find((chunk) => chunk.usage)?.usage ?? {};
    expect(usage).toEqual(body.usage);
    const texts = chunks.find((chunk) => chunk.candidates)?.candidates?.map(({ text }) => text);
    expect(texts).toEqual(choice.candidates?.map(({ response }) => response));
  });
});
