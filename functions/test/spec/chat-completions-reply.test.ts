import type { Script } from '../../src/providers/scripted';
import { type SpecApp, startSpecApp } from '../support/spec-app';
import { until } from '../support/until';

/** 2026-01-15T12:01:00Z: the clock starts at noon and every request comes a minute later. */
const NOW_MS = Date.UTC(2026, 0, 15, 12, 1);

/**
 * Tokens in/out: blaise 10/20 then 30/40, curie 50/60 then 70/80, ada's analysis 100/5, its answer 200/7, its
 * follow-ups 90/9. A demo model costs 100 nano-USD a prompt token and 400 a completion token.
 */
const TOKENS: Readonly<Record<string, readonly [number, number]>> = {
  'demo-blaise draft': [10, 20],
  'demo-blaise revise': [30, 40],
  'demo-curie draft': [50, 60],
  'demo-curie revise': [70, 80],
  'demo-ada analyse': [100, 5],
  'demo-ada answer': [200, 7],
  'demo-ada follow_ups': [90, 9],
};
const WORDS: Readonly<Record<string, string>> = {
  analyse: '{"winner":null,"rationale":"Both agree."}',
  follow_ups: '["One?","Two?","Three?"]',
};

const script: Script = ({ providerModel, purpose }) => {
  const [promptTokens, completionTokens] = TOKENS[`${providerModel} ${purpose}`] ?? [0, 0];
  return { text: WORDS[purpose] ?? `${purpose} of ${providerModel}`, usage: { promptTokens, completionTokens } };
};

const EVERYTHING = {
  reasoning: { effort: 'high' },
  ai_ensemble: {
    models: ['demo-blaise', 'demo-curie'],
    rounds: 2,
    includeCandidates: true,
    includeFollowUpPrompts: true,
  },
};

describe('POST /v1/chat/completions: ChatCompletionResponse', () => {
  let app: SpecApp;
  beforeEach(async () => {
    app = await startSpecApp();
    app.models.play(script);
  });
  afterEach(() => app.close());

  it('has exactly the fields of the spec, and nothing undefined or null, for a plain request', async () => {
    const { status, headers, body } = await app.complete();
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toStrictEqual({
      id: `chatcmpl-${NOW_MS}`,
      object: 'chat.completion',
      created: NOW_MS / 1000,
      model: 'demo-ada',
      choices: [{ index: 0, message: { role: 'assistant', content: 'answer of demo-ada' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 200, completion_tokens: 7, total_tokens: 207, input_tokens: 200, output_tokens: 7 },
    });
  });

  it('carries explanation, candidates and follow-up prompts in their places when asked for', async () => {
    const { body } = await app.complete(EVERYTHING);
    expect(body).toStrictEqual({
      id: `chatcmpl-${NOW_MS}`,
      object: 'chat.completion',
      created: NOW_MS / 1000,
      model: 'demo-ada',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'answer of demo-ada', explanation: 'Both agree.' },
          finish_reason: 'stop',
          candidates: [
            {
              modelId: 'demo-blaise',
              modelName: 'Demo Blaise',
              response: 'revise of demo-blaise',
              tokenUsage: { promptTokens: 40, completionTokens: 60, totalTokens: 100 },
              executionTimeMs: 0,
              cost: 0.000028,
            },
            {
              modelId: 'demo-curie',
              modelName: 'Demo Curie',
              response: 'revise of demo-curie',
              tokenUsage: { promptTokens: 120, completionTokens: 140, totalTokens: 260 },
              executionTimeMs: 0,
              cost: 0.000068,
            },
          ],
          followUpPrompts: ['One?', 'Two?', 'Three?'],
        },
      ],
      // 10+30+50+70+100+200+90 and 20+40+60+80+5+7+9: every call made, also those that only helped.
      usage: { prompt_tokens: 550, completion_tokens: 221, total_tokens: 771, input_tokens: 550, output_tokens: 221 },
    });
  });

  it.each(['demo-ada', 'ensemble', 'ensemble-expert-panel', 'claude-haiku-4-5', 'never/heard-of:it'])(
    'model echoes the request: %s',
    async (model) => {
      const { body } = await app.complete({ model });
      expect(body.model).toBe(model);
    },
  );

  it('id and created are of the moment of the request', async () => {
    await app.clock.advance(1_234);
    const { body } = await app.complete();
    expect(body).toMatchObject({ id: `chatcmpl-${NOW_MS + 1_234}`, created: Math.floor((NOW_MS + 1_234) / 1000) });
  });

  it('executionTimeMs of a candidate is the time its calls took', async () => {
    app.models.play((call) => ({ ...script(call), delayMs: call.purpose === 'draft' ? 1_500 : 0 }));
    const reply = app.complete({ ai_ensemble: { models: ['demo-blaise'], includeCandidates: true } });
    await until(() => app.models.calls.length > 0);
    await app.clock.advance(1_500);
    expect((await reply).body.choices[0].candidates).toEqual([expect.objectContaining({ executionTimeMs: 1_500 })]);
  });

  it.each([
    {
      rule: 'cached prompt tokens are detailed under both names',
      usage: { promptTokens: 100, completionTokens: 10, cachedPromptTokens: 40 },
      expected: {
        prompt_tokens: 100,
        completion_tokens: 10,
        total_tokens: 110,
        input_tokens: 100,
        output_tokens: 10,
        input_token_details: { text_tokens: 100, cached_tokens: 40 },
        prompt_tokens_details: { cached_tokens: 40 },
      },
    },
    {
      rule: 'no cached tokens: no details',
      usage: { promptTokens: 100, completionTokens: 10, cachedPromptTokens: 0, reasoningTokens: 0 },
      expected: {
        prompt_tokens: 100,
        completion_tokens: 10,
        total_tokens: 110,
        input_tokens: 100,
        output_tokens: 10,
      },
    },
    {
      rule: 'reasoning tokens are part of the completion and detailed',
      usage: { promptTokens: 100, completionTokens: 10, reasoningTokens: 6 },
      expected: {
        prompt_tokens: 100,
        completion_tokens: 10,
        total_tokens: 110,
        input_tokens: 100,
        output_tokens: 10,
        output_token_details: { text_tokens: 10 },
        completion_tokens_details: { reasoning_tokens: 6 },
      },
    },
  ])('usage: $rule', async ({ usage, expected }) => {
    app.models.play(() => ({ text: 'Yes.', usage }));
    const { body } = await app.complete();
    expect(body.usage).toStrictEqual(expected);
  });

  it('usage: cached tokens are summed over the calls', async () => {
    app.models.play(() => ({ text: 'Yes.', usage: { promptTokens: 9, completionTokens: 1, cachedPromptTokens: 4 } }));
    const { body } = await app.complete({ ai_ensemble: { models: ['demo-blaise', 'demo-curie'] } });
    expect(body.usage).toMatchObject({ prompt_tokens: 27, input_token_details: { cached_tokens: 12 } });
  });

  it('usage: estimated, never missing, when a model reports none', async () => {
    // Four characters a token: 20 + 16 for the turn's wrapping, and 16 of answer.
    app.models.play(() => ({ text: 'A berry, surely.', usage: null }));
    const { body } = await app.complete();
    expect(body.usage).toMatchObject({ prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 });
  });
});
