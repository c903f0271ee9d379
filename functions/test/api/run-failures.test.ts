import { systemClock } from '../../src/lib/clock';
import { ModelFault, type ModelFaultKind } from '../../src/models/model-fault';
import { errorBody, INTERNAL } from '../support/api-errors';
import { type App, RUN_ENDPOINTS, startApp } from '../support/app';
import { sendStatus, startFakeUpstream } from '../support/fake-upstream';
import { failing, PLAIN, type Script, UPSTREAM_WORDS } from '../support/scripted-models';
import { until } from '../support/until';

/** Models that fail by id, the others speak plainly. */
function failingModels(kinds: Readonly<Record<string, ModelFaultKind>>): Script {
  return (call) => {
    const kind = kinds[call.providerModel];
    return kind === undefined ? PLAIN(call) : failing(kind);
  };
}

const FAILED: readonly { rule: string; request: Record<string, unknown>; script: Script; message: string }[] = [
  {
    rule: 'all participants failing names models and causes',
    request: { ai_ensemble: { models: ['claude-x', 'gpt-y'] } },
    script: failingModels({ 'claude-x': 'overloaded', 'gpt-y': 'timeout' }),
    message: 'All participant models failed: claude-x (overloaded), gpt-y (timeout)',
  },
  {
    rule: 'causes of several words are words',
    request: { ai_ensemble: { models: ['claude-x', 'gpt-y', 'gemini-z'] } },
    script: failingModels({ 'claude-x': 'rate_limited', 'gpt-y': 'context_length', 'gemini-z': 'unauthorized' }),
    message: 'All participant models failed: claude-x (rate limited), gpt-y (context length), gemini-z (unauthorized)',
  },
  {
    rule: 'a single model failing names it and the cause',
    request: { model: 'gpt-y' },
    script: failingModels({ 'gpt-y': 'server' }),
    message: 'The model failed: gpt-y (server)',
  },
  {
    rule: 'nobody being able to write the answer names everybody tried',
    request: { ai_ensemble: { models: ['demo-blaise'] } },
    script: (call) => (call.purpose === 'answer' ? failing('network') : PLAIN(call)),
    message: 'No model could write the answer: Demo Ada (network), Demo Blaise (network)',
  },
  {
    rule: 'an answer cut off in the middle is a failure, never half an answer',
    request: { model: 'gpt-y' },
    script: () => failing('network', 'Botanically it is'),
    message: 'The model failed: gpt-y (network)',
  },
];

describe.each(RUN_ENDPOINTS)('POST $path: 500', ({ send, answerOf }) => {
  let app: App;
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(() => app.models.reset());
  afterAll(() => app.close());

  it.each(FAILED)('$rule: api_error, not to be retried, nothing of upstream', async ({ request, script, message }) => {
    app.models.play(script);
    const { status, headers, body, text } = await send(app, request);
    expect({ status, body }).toEqual({ status: 500, body: errorBody(message, 'api_error') });
    expect(headers.get('x-should-retry')).toBe('false');
    expect(text).not.toContain('UPSTREAM');
  });

  it('keys and upstream texts stay out of the log’s causes too', async () => {
    app.models.play(() => failing('server'));
    await send(app);
    expect(app.logLines.join('\n')).toContain('request failed');
    expect(app.logLines.join('\n')).not.toContain('sk-upstream-0123456789abcdef');
  });

  it.each(['analyse', 'answer'] as const)(
    'an arbiter that finds the texts too long for its %s is asked once more, with shorter ones (200)',
    async (purpose) => {
      const draft = `First. ${'A berry it is. '.repeat(1_500)} Last.`;
      app.models.play((call) => {
        const isFirst = app.models.calls.filter((made) => made.purpose === purpose).length === 1;
        if (call.purpose === purpose && isFirst) return failing('context_length');
        return call.purpose === 'draft' ? { text: draft } : PLAIN(call);
      });
      const { status, body } = await send(app, {
        model: 'claude-x',
        ai_ensemble: { models: ['demo-curie', 'demo-blaise'], includeReasoning: true },
      });
      expect(status).toBe(200);
      expect(answerOf(body)).toBe('Botanically it is a berry.');
      const asked = app.models.calls.filter((made) => made.purpose === purpose);
      expect(asked.map(({ providerModel }) => providerModel)).toEqual(['claude-x', 'claude-x']);
      const [whole = '', shorter = ''] = asked.map(({ prompt }) => prompt.turns.at(-1)?.text);
      expect([whole.includes(draft), shorter.includes('characters in all, the middle left out')]).toEqual([true, true]);
      expect(shorter.length).toBeLessThan(0.6 * whole.length);
      expect(body.degraded).toEqual(['claude-x was shown shortened texts: its context window holds no more']);
    },
  );

  it('an arbiter cut off in the middle is replaced likewise, and its half an answer is nowhere (200)', async () => {
    app.models.play((call) =>
      call.providerModel === 'claude-x' ? failing('network', 'Botanically spea') : PLAIN(call),
    );
    const { status, body } = await send(app, { model: 'claude-x', ai_ensemble: { models: ['demo-curie'] } });
    expect(status).toBe(200);
    expect(answerOf(body)).toBe('Botanically it is a berry.');
    expect(body.degraded).toEqual(['claude-x (network) failed to write the answer; Demo Curie stepped in']);
  });
});

describe.each(RUN_ENDPOINTS)('POST $path: providers that are not configured', ({ send }) => {
  let app: App;
  beforeAll(async () => {
    app = await startApp({ providers: {} });
  });
  afterAll(() => app.close());

  const WHERE = 'GET /v1/models lists what it serves';
  const UNSERVED = [
    ['gpt-5.5', 'no OpenAI key is configured on this server'],
    ['gpt-4o', 'no OpenAI key is configured on this server'],
    ['claude-haiku-4-5', 'no Anthropic key is configured on this server'],
    ['gemini-2.5-flash', 'no Gemini key is configured on this server'],
    ['some/other-model', 'no provider of this server knows it'],
    ['demo-nobody', 'no demo model has this id'],
  ] as const;

  it.each(UNSERVED)('%s is a 400 that says so, before a rate slot is taken', async (model, flaw) => {
    const { status, body, headers } = await send(app, { model });
    expect({ status, body }).toEqual({ status: 400, body: errorBody(`Model ${model}: ${flaw}; ${WHERE}`) });
    expect(headers.get('x-ratelimit-remaining-requests')).toBeNull();
  });

  it.each([
    [{}, '/v1/chat/completions'],
    [{ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'own' }, '/own/v1/messages'],
  ])('behind a gateway a Claude model is asked of it, unless Anthropic is configured: %j', async (env, path) => {
    const upstream = await startFakeUpstream();
    const baseUrls = Object.entries({ ...env, OPENAI_BASE_URL: 'v1' }).map(([name, value]) => [
      name,
      name.endsWith('_URL') ? `${upstream.url}/${value}` : value,
    ]);
    await using gateway = await startApp({ providers: {}, clock: systemClock, env: Object.fromEntries(baseUrls) });
    upstream.willReply(sendStatus(400, {}));
    await send(gateway, { model: 'claude-haiku-4-5' });
    expect(upstream.requests.map((request) => request.path)).toEqual([path]);
    await upstream.close();
  });

  it.each(UNSERVED)('%s in a panel with others is a failed participant, by name', async (id) => {
    await using live = await startApp({ providers: {}, clock: systemClock });
    const { status, body } = await send(live, { model: 'demo-ada', ai_ensemble: { models: ['demo-ada', id] } });
    expect(status).toBe(200);
    expect(body.degraded?.[0]).toMatch(/ did not answer in round 1 \(not (?:configured|found)\)$/);
  });

  it.each([
    ['ensembel', 'ensemble'],
    ['ensmble', 'ensemble'],
    ['Ensemble', 'ensemble'],
    ['ensemble_debate_tournament', 'ensemble-debate-tournament'],
    ['ensemble-debate', 'ensemble-debate-tournament'],
    ['ensemble-expert-pannel', 'ensemble-expert-panel'],
  ])('the misspelt virtual id %s gets the nearest one', async (model, meant) => {
    const { status, body } = await app.complete({ model });
    expect([status, body]).toEqual([400, errorBody(`Model ${model}: no such ensemble; did you mean ${meant}?`)]);
  });
});

/** Requests that every model refuses for good. */
const FOR_GOOD: readonly { rule: string; request: Record<string, unknown>; script: Script; message: string }[] = [
  {
    rule: 'an answer refused by a content filter',
    request: { model: 'gpt-y' },
    script: () => ({ text: '', finishReason: 'content_filter' }),
    message: 'The model failed: gpt-y (content filter)',
  },
  {
    rule: 'a request that its provider refuses',
    request: { model: 'gpt-y' },
    script: () => failing('bad_request'),
    message: 'The model failed: gpt-y (bad request)',
  },
  {
    rule: 'an output limit used up by thoughts, which is named',
    request: { model: 'gpt-y' },
    script: () => ({ text: '', finishReason: 'length', usage: { promptTokens: 100, completionTokens: 8_192 } }),
    message: 'The model failed: gpt-y (output limit of 8192 tokens used up)',
  },
  {
    rule: 'a prompt that is too long for all of a panel, or unknown to it',
    request: { ai_ensemble: { models: ['claude-x', 'gpt-y'] } },
    script: failingModels({ 'claude-x': 'context_length', 'gpt-y': 'not_found' }),
    message: 'All participant models failed: claude-x (context length), gpt-y (not found)',
  },
  {
    rule: 'an answer that nobody is allowed to write',
    request: { ai_ensemble: { models: ['demo-blaise'] } },
    script: (call) => (call.purpose === 'answer' ? failing('content_filter') : PLAIN(call)),
    message: 'No model could write the answer: Demo Ada (content filter), Demo Blaise (content filter)',
  },
];

describe.each(RUN_ENDPOINTS)('POST $path: what every model refuses for good', ({ send }) => {
  it.each(FOR_GOOD)('$rule: 400, which no client repeats', async ({ request, script, message }) => {
    await using app = await startApp({ script });
    const { status, headers, body } = await send(app, request);
    expect({ status, body }).toEqual({ status: 400, body: errorBody(message) });
    expect(headers.get('x-should-retry')).toBe('false');
  });

  it.each([
    { waits: [600.2], retryAfter: '601' },
    { waits: [900, 600, undefined], retryAfter: '600' },
    { waits: [undefined], retryAfter: null },
  ])('limits of $waits seconds that end a run are told: $retryAfter', async ({ waits, retryAfter }) => {
    const models = waits.map((_, index) => `gpt-${index}`);
    const script: Script = ({ providerModel }) => {
      const retryAfterSeconds = waits[models.indexOf(providerModel)];
      return { text: '', usage: null, fault: new ModelFault('rate_limited', { retryAfterSeconds }) };
    };
    await using app = await startApp({ script });
    const { status, headers } = await send(app, { model: models[0], ai_ensemble: { models } });
    expect([status, headers.get('retry-after')]).toEqual([500, retryAfter]);
  });
});

describe.each(RUN_ENDPOINTS)('POST $path: models that their providers do not know', ({ send }) => {
  it.each([
    {
      rule: 'a single one',
      fields: { model: 'gpt-4p' },
      text: 'The model failed: gpt-4p (not found); GET /v1/models lists what this server serves',
    },
    {
      rule: 'a whole panel',
      fields: { model: 'gpt-4p', ai_ensemble: { models: ['gpt-4p', 'o9'] } },
      text: 'All participant models failed: gpt-4p (not found), o9 (not found)',
    },
  ])('$rule: 400, as asking again is of no use', async ({ fields, text }) => {
    await using app = await startApp({ script: () => failing('not_found') });
    const { status, body } = await send(app, fields);
    expect({ status, body }).toEqual({ status: 400, body: errorBody(text) });
  });
});

describe.each(RUN_ENDPOINTS)('POST $path: a provider that breaks in its own way', ({ send }) => {
  it('is reported without its words', async () => {
    await using app = await startApp({
      provider: { run: () => Promise.reject(new Error(UPSTREAM_WORDS)) },
    });
    const reply = send(app, { model: 'gpt-y' });
    // The retry waits 250 ms.
    await until(() => app.clock.pending > 0);
    for (let waitedMs = 0; waitedMs < 1_000; waitedMs += 50) await app.clock.advance(50);
    const { status, body } = await reply;
    expect({ status, body }).toEqual({
      status: 500,
      body: errorBody('The model failed: gpt-y (protocol)', 'api_error'),
    });
  });
});

describe.each(RUN_ENDPOINTS)('POST $path: a failing store', ({ send, answerOf }) => {
  const broken = (): never => {
    throw new Error('disk full at /var/secret');
  };

  it.each([
    { rule: 'before any model is called the 500 may be retried', method: 'admit', shouldRetry: null, calls: 0 },
    { rule: 'after paid calls began it must not be', method: 'checkpoint', shouldRetry: 'false', calls: 2 },
  ] as const)('$rule', async ({ method, shouldRetry, calls }) => {
    await using app = await startApp({ wrapStore: (store) => ({ ...store, [method]: async () => broken() }) });
    const reply = await send(app, { ai_ensemble: { models: ['demo-blaise', 'demo-curie'] } });
    expect({ status: reply.status, body: reply.body }).toEqual({ status: 500, body: INTERNAL });
    expect(reply.headers.get('x-should-retry')).toBe(shouldRetry);
    expect(reply.calls).toHaveLength(calls);
  });

  it('a ledger that cannot be settled does not cost the caller the answer (200)', async () => {
    await using app = await startApp({ wrapStore: (store) => ({ ...store, settle: async () => broken() }) });
    const { status, body } = await send(app);
    expect(status).toBe(200);
    expect(answerOf(body)).toBe('Botanically it is a berry.');
  });
});
