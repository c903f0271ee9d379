import { CHAT_PATH, RESPONSES_PATH, RUN_ENDPOINTS, startApp } from '../support/app';
import { during } from '../support/during';
import type { Script } from '../support/scripted-models';
import { textOfTokens } from '../support/text-of-tokens';
import { until } from '../support/until';
import { sortedRecord, type WireRun, type WireUsage } from '../support/wire';

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
const CANDIDATES = [
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
];
const FOLLOW_UPS = ['One?', 'Two?', 'Three?'];
// 10+30+50+70+100+200+90 and 20+40+60+80+5+7+9: every call made, also those that only helped.
const [PROMPT_TOKENS, COMPLETION_TOKENS] = [550, 221];

/** The texts of both candidates, which are brief, differ. */
const APART = {
  share: 0,
  measuredOn: 'final_answers',
  words: 'The 2 final answers are not the same, word for word.',
};

/** Fields that stand beside the answer where everything is asked for. */
const BESIDE = { candidates: CANDIDATES, agreement: APART, followUpPrompts: FOLLOW_UPS };
const ANSWER = 'answer of demo-ada';
const head = (id: string, object: string) => ({ id: id + NOW_MS, object, created: NOW_MS / 1000, model: 'demo-ada' });

/** The usage of a response, and the same under both names of a chat completion. */
const usageOf = (input: number, output: number) => ({
  input_tokens: input,
  output_tokens: output,
  total_tokens: input + output,
});
const chatUsageOf = (input: number, output: number) => ({
  ...usageOf(input, output),
  ...{ prompt_tokens: input, completion_tokens: output },
});

function completionOf(usage: object, explained: object = {}, beside: object = {}): object {
  const message = { role: 'assistant', content: ANSWER, ...explained };
  const choices = [{ index: 0, message, finish_reason: 'stop', ...beside }];
  return { ...head('chatcmpl-', 'chat.completion'), choices, usage };
}

function responseOf(usage: object, explained: object = {}, beside: object = {}): object {
  const content = [{ type: 'text', text: ANSWER }];
  const output = [{ type: 'message', id: `msg_${NOW_MS}`, role: 'assistant', content }];
  return { ...head('resp_', 'response'), output, ...explained, ...beside, usage };
}

const EXPLAINED = { explanation: 'Both agree.' };
/** The whole reply to a plain request and to one with everything. */
const BODIES: Readonly<Record<string, { readonly plain: object; readonly everything: object }>> = {
  [CHAT_PATH]: {
    plain: completionOf(chatUsageOf(200, 7)),
    everything: completionOf(chatUsageOf(PROMPT_TOKENS, COMPLETION_TOKENS), EXPLAINED, BESIDE),
  },
  [RESPONSES_PATH]: {
    plain: responseOf(usageOf(200, 7)),
    everything: responseOf(usageOf(PROMPT_TOKENS, COMPLETION_TOKENS), EXPLAINED, BESIDE),
  },
};

const app = during('each', startApp);
beforeEach(() => {
  app.models.play(script);
});

describe.each(RUN_ENDPOINTS)('POST $path: the reply', ({ path, body: asked, send, answerOf }) => {
  it('has exactly the documented fields, and nothing undefined or null, for a plain request', async () => {
    const { status, headers, body } = await send(app);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('x-ratelimit-remaining-requests')).toBe('29');
    expect(body).toStrictEqual(BODIES[path]?.plain);
  });

  it('has an id of its own also within one millisecond: clients take one of the same id for the same message', async () => {
    const startedAtMs = app.clock.nowMs();
    const replies = await Promise.all(
      [0, 1, 2].map(async () => (await app.post(path, asked)).json() as Promise<WireRun>),
    );
    const stamps = replies.map(({ id }) => Number(/\d+$/.exec(id)?.[0]) - startedAtMs);
    expect(stamps.toSorted()).toEqual([0, 1, 2]);
  });

  it('carries explanation, candidates and follow-up prompts in their places when asked for', async () => {
    const { body } = await send(app, EVERYTHING);
    expect(body).toStrictEqual(BODIES[path]?.everything);
  });

  it('gives a candidate the time its calls took', async () => {
    app.models.play((call) => ({ ...script(call), delayMs: call.purpose === 'draft' ? 1_500 : 0 }));
    const reply = send(app, { ai_ensemble: { models: ['demo-blaise'], includeCandidates: true } });
    await until(() => app.models.calls.length > 0);
    await app.clock.advance(1_500);
    const { choices, candidates = choices[0].candidates } = (await reply).body;
    expect(candidates).toEqual([expect.objectContaining({ executionTimeMs: 1_500 })]);
  });

  it('is in the ledger and in the month: one request, tokens and cost of every call, under its own name', async () => {
    const { headers, body } = await send(app, EVERYTHING);
    expect(answerOf(body)).toBe('answer of demo-ada');
    const record = await app.container.store.findRecord(headers.get('x-request-id') ?? '');
    expect(record).toMatchObject({ endpoint: path.slice('/v1/'.length).replace('/', '.'), state: 'settled' });
    const usage = await app.read<WireUsage>('/v1/usage');
    expect(sortedRecord(usage.body.data[0])).toMatchObject({
      n_requests: 1,
      n_context_tokens_total: PROMPT_TOKENS,
      n_generated_tokens_total: COMPLETION_TOKENS,
      // 550·100 + 221·400 = 143400 nano-USD
      total_cost: 0.0001434,
      apiKeyBreakdown: [{ keyName: 'alice-key', requests: 1, totalTokens: 771 }],
    });
  });
});

describe('usage', () => {
  it.each([
    {
      rule: 'cached prompt tokens are detailed under both names',
      usage: { cachedPromptTokens: 40 },
      details: {
        input_token_details: { text_tokens: 100, cached_tokens: 40 },
        prompt_tokens_details: { cached_tokens: 40 },
      },
    },
    {
      rule: 'reasoning tokens are part of the completion and detailed',
      usage: { reasoningTokens: 6 },
      details: { output_token_details: { text_tokens: 10 }, completion_tokens_details: { reasoning_tokens: 6 } },
    },
    { rule: 'nothing is detailed without either', usage: { cachedPromptTokens: 0, reasoningTokens: 0 }, details: {} },
  ])('$rule; of responses it has three integers alone', async ({ usage, details }) => {
    app.models.play(() => ({ text: 'Yes.', usage: { promptTokens: 100, completionTokens: 10, ...usage } }));
    expect((await app.complete()).body.usage).toStrictEqual({ ...chatUsageOf(100, 10), ...details });
    expect((await app.respond()).body.usage).toStrictEqual(usageOf(100, 10));
  });

  it('is estimated, never missing, when a model reports none', async () => {
    // 5 tokens and 4 for the turn's wrapping, and 4 of answer.
    app.models.play(() => ({ text: textOfTokens(4), usage: null }));
    const { body } = await app.complete({ messages: [{ role: 'user', content: textOfTokens(5) }] });
    expect(body.usage).toMatchObject({ prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 });
  });
});
