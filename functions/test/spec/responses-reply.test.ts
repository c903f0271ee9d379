import type { Script } from '../../src/providers/scripted';
import { failing, PLAIN } from '../support/recorded-models';
import { type SpecApp, startSpecApp } from '../support/spec-app';
import { errorBody } from '../support/spec-errors';
import { sortedRecord, type WireUsage } from '../support/wire-usage';

/** 2026-01-15T12:01:00Z: the clock starts at noon and every request comes a minute later. */
const NOW_MS = Date.UTC(2026, 0, 15, 12, 1);
const PANEL = ['demo-blaise', 'demo-curie'];

/** Tokens in/out of each call. A demo model costs 100 nano-USD a prompt token and 400 a completion token. */
const TOKENS: Readonly<Record<string, readonly [number, number]>> = {
  'demo-blaise draft': [10, 20],
  'demo-curie draft': [50, 60],
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
  ai_ensemble: { models: PANEL, includeCandidates: true, includeFollowUpPrompts: true },
};

describe('POST /v1/responses: ResponsesResponse', () => {
  let app: SpecApp;
  beforeEach(async () => {
    app = await startSpecApp();
    app.models.play(script);
  });
  afterEach(() => app.close());

  it('has exactly the fields of the spec, and nothing undefined or null, for a plain request', async () => {
    const { status, headers, body } = await app.respond();
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('x-ratelimit-remaining-requests')).toBe('29');
    expect(body).toStrictEqual({
      id: `resp_${NOW_MS}`,
      object: 'response',
      created: NOW_MS / 1000,
      model: 'demo-ada',
      output: [
        {
          type: 'message',
          id: `msg_${NOW_MS}`,
          role: 'assistant',
          content: [{ type: 'text', text: 'answer of demo-ada' }],
        },
      ],
      usage: { input_tokens: 200, output_tokens: 7, total_tokens: 207 },
    });
  });

  it('carries explanation, candidates and follow-up prompts at the top when asked for', async () => {
    const { body } = await app.respond(EVERYTHING);
    expect(body).toStrictEqual({
      id: `resp_${NOW_MS}`,
      object: 'response',
      created: NOW_MS / 1000,
      model: 'demo-ada',
      output: [
        {
          type: 'message',
          id: `msg_${NOW_MS}`,
          role: 'assistant',
          content: [{ type: 'text', text: 'answer of demo-ada' }],
        },
      ],
      explanation: 'Both agree.',
      candidates: [
        {
          modelId: 'demo-blaise',
          modelName: 'Demo Blaise',
          response: 'draft of demo-blaise',
          tokenUsage: { promptTokens: 10, completionTokens: 20, totalTokens: 30 },
          executionTimeMs: 0,
          cost: 0.000009,
        },
        {
          modelId: 'demo-curie',
          modelName: 'Demo Curie',
          response: 'draft of demo-curie',
          tokenUsage: { promptTokens: 50, completionTokens: 60, totalTokens: 110 },
          executionTimeMs: 0,
          cost: 0.000029,
        },
      ],
      followUpPrompts: ['One?', 'Two?', 'Three?'],
      // 10+50+100+200+90 and 20+60+5+7+9: every call made, also those that only helped.
      usage: { input_tokens: 450, output_tokens: 101, total_tokens: 551 },
    });
  });

  it.each([
    { rule: 'no explanation unless asked for', request: { ai_ensemble: { models: PANEL } }, field: 'explanation' },
    {
      rule: 'includeReasoning false wins over reasoning.effort',
      request: { ...EVERYTHING, ai_ensemble: { models: PANEL, includeReasoning: false } },
      field: 'explanation',
    },
    { rule: 'no candidates unless asked for', request: { ai_ensemble: { models: PANEL } }, field: 'candidates' },
    { rule: 'no follow-ups unless asked for', request: { ai_ensemble: { models: PANEL } }, field: 'followUpPrompts' },
    { rule: 'nothing degraded, no word of it', request: {}, field: 'degraded' },
  ])('$rule', async ({ request, field }) => {
    const { status, body } = await app.respond(request);
    expect(status).toBe(200);
    expect(body).not.toHaveProperty(field);
  });

  it('explanation is there with includeReasoning and without an effort', async () => {
    const { body } = await app.respond({ ai_ensemble: { models: PANEL, includeReasoning: true } });
    expect(body.explanation).toBe('Both agree.');
  });

  it.each(['demo-ada', 'ensemble', 'claude-haiku-4-5', 'never/heard-of:it'])(
    'model echoes the request: %s',
    async (model) => {
      const { body } = await app.respond({ model });
      expect(body.model).toBe(model);
    },
  );

  it('id and created are of the moment of the request', async () => {
    await app.clock.advance(1_234);
    const { body } = await app.respond();
    expect(body).toMatchObject({ id: `resp_${NOW_MS + 1_234}`, created: Math.floor((NOW_MS + 1_234) / 1000) });
  });

  it.each([
    { rule: 'cached prompt tokens', usage: { promptTokens: 100, completionTokens: 10, cachedPromptTokens: 40 } },
    { rule: 'reasoning tokens', usage: { promptTokens: 100, completionTokens: 10, reasoningTokens: 6 } },
  ])('usage is three integers and no details, also with $rule', async ({ usage }) => {
    app.models.play(() => ({ text: 'Yes.', usage }));
    const { body } = await app.respond();
    expect(body.usage).toStrictEqual({ input_tokens: 100, output_tokens: 10, total_tokens: 110 });
  });

  it('is booked like a run of chat: one request, tokens and cost of every call, under its own name', async () => {
    const { headers } = await app.respond(EVERYTHING);
    const record = await app.container.store.findRecord(headers.get('x-request-id') ?? '');
    expect(record).toMatchObject({ endpoint: 'responses', state: 'settled' });
    const { body } = await app.read<WireUsage>('/v1/usage');
    expect(sortedRecord(body.data[0])).toMatchObject({
      n_requests: 1,
      n_context_tokens_total: 450,
      n_generated_tokens_total: 101,
      // 450·100 + 101·400 = 85400 nano-USD
      total_cost: 0.0000854,
      apiKeyBreakdown: [{ keyName: 'alice-key', requests: 1, totalTokens: 551 }],
    });
  });
});

describe('POST /v1/responses: runs that go wrong', () => {
  let app: SpecApp;
  beforeAll(async () => {
    app = await startSpecApp();
  });
  beforeEach(() => app.models.reset());
  afterAll(() => app.close());

  it.each([
    {
      rule: 'a single model failing',
      request: { model: 'gpt-y' },
      message: 'The model failed: gpt-y (overloaded)',
    },
    {
      rule: 'all participants failing',
      request: { ai_ensemble: { models: ['claude-x', 'gpt-y'] } },
      message: 'All participant models failed: claude-x (overloaded), gpt-y (overloaded)',
    },
  ])('$rule is a 500, not to be retried, with nothing of upstream', async ({ request, message }) => {
    app.models.play(() => failing('overloaded'));
    const { status, headers, body, text } = await app.respond(request);
    expect({ status, body }).toEqual({ status: 500, body: errorBody(message, 'api_error') });
    expect(headers.get('x-should-retry')).toBe('false');
    expect(text).not.toContain('UPSTREAM');
  });

  it('a participant that failed is named in degraded, at the top (200)', async () => {
    app.models.play((call) => (call.providerModel === 'claude-x' ? failing('overloaded') : PLAIN(call)));
    const { status, body } = await app.respond({ ai_ensemble: { models: ['claude-x', 'demo-curie'] } });
    expect(status).toBe(200);
    expect(body.output[0].content[0].text).toBe('Botanically it is a berry.');
    expect(body.degraded).toEqual([expect.stringMatching(/claude-x.*overloaded/)]);
  });
});
