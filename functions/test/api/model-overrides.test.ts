import { systemClock } from '../../src/lib/clock';
import { type App, startApp } from '../support/app';
import { during } from '../support/during';
import { event, sendEvents, startFakeUpstream, underControl } from '../support/fake-upstream';
import { readStream, type WireCompletion } from '../support/wire';

/**
 * A deployment that names an OpenAI-compatible endpoint of its own, asked over real HTTP: our server in front, a fake
 * one behind, nothing replaced between them.
 */

const MODEL_OVERRIDES = (baseUrl: string): string =>
  JSON.stringify({
    models: [
      {
        id: 'house-70b',
        name: 'House 70B',
        endpoint: 'lab',
        providerModel: 'Org/Model-70B',
        contextTokens: 131_072,
        price: {
          inputUsdPerMillion: 0.5,
          outputUsdPerMillion: 2,
          cachedInputUsdPerMillion: 0.05,
          cacheWriteInputUsdPerMillion: 0.625,
        },
      },
      { id: 'house-guess', endpoint: 'lab' },
    ],
    endpoints: { lab: { baseUrl } },
  });

/** A completion of an endpoint, with usage as OpenAI reports it: of 1,000 prompt tokens 600 cached, of 50 40 reasoned. */
const ANSWER = [
  { choices: [{ index: 0, delta: { role: 'assistant', content: 'A fruit, ' } }] },
  { choices: [{ index: 0, delta: { content: 'botanically.' }, finish_reason: 'stop' }] },
  {
    choices: [],
    usage: {
      prompt_tokens: 1_000,
      completion_tokens: 50,
      total_tokens: 1_050,
      prompt_tokens_details: { cached_tokens: 600 },
      completion_tokens_details: { reasoning_tokens: 40 },
    },
  },
]
  .map(event)
  .concat('data: [DONE]\n\n')
  .join('');

const USAGE = {
  prompt_tokens: 1_000,
  completion_tokens: 50,
  total_tokens: 1_050,
  input_tokens: 1_000,
  output_tokens: 50,
  input_token_details: { text_tokens: 1_000, cached_tokens: 600 },
  prompt_tokens_details: { cached_tokens: 600 },
  output_token_details: { text_tokens: 50 },
  completion_tokens_details: { reasoning_tokens: 40 },
};

describe('an endpoint of the settings', () => {
  const upstream = during('each', startFakeUpstream);
  let app: App;
  beforeEach(async () => {
    const env = { MODEL_OVERRIDES: MODEL_OVERRIDES(`${upstream.url}/v1`), ENDPOINT_KEYS: '{"lab": "lab-secret"}' };
    app = await startApp({ clock: systemClock, env, providers: {} });
  });
  afterEach(async () => {
    await app.close();
  });

  const month = async () => {
    const body = (await (await app.get('/v1/usage')).json()) as { data: [{ total_cost: number; breakdown: object[] }] };
    return body.data[0];
  };

  it('serves its models under their own names, with its own key, at the price that the settings name', async () => {
    upstream.willReply(sendEvents(ANSWER));
    const { chunks, content } = await readStream(await app.chat({ model: 'house-70b', stream: true }));
    expect(content).toBe('A fruit, botanically.');
    // 400 at $0.50, 600 at $0.05, 50 at $2: 330,000 nano-dollars are 330 units.
    const usages = chunks.filter(({ usage }) => usage).map(({ usage }) => usage);
    expect(usages).toEqual([{ ...USAGE, unifiedTokens: 330 }]);
    const [request, ...more] = upstream.requests;
    expect(more).toEqual([]);
    expect(request).toMatchObject({ method: 'POST', path: '/v1/chat/completions' });
    expect(request?.headers.authorization).toBe('Bearer lab-secret');
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ model: 'Org/Model-70B' });
    const { total_cost: cost, breakdown } = await month();
    const line = { n_requests: 1, n_context_tokens: 1_000, n_generated_tokens: 50, cost };
    expect([cost, breakdown]).toEqual([0.000_33, [{ model_id: 'house-70b', model_name: 'House 70B', ...line }]]);
  });

  it('is what the virtual models run on where nothing else is configured', async () => {
    upstream.willReply(...Array.from({ length: 4 }, () => sendEvents(ANSWER)));
    expect((await app.chat({ model: 'ensemble' })).status).toBe(200);
    const asked = upstream.requests.map(({ body }) => (JSON.parse(body) as { model: string }).model);
    expect(new Set(asked)).toEqual(new Set(['Org/Model-70B']));
    expect(asked).toHaveLength(4);
  });

  it('is listed with what it costs, and says of a model when no price is known', async () => {
    const { data } = (await (await app.get('/v1/models')).json()) as { data: { id: string; owned_by: string }[] };
    expect(data.filter(({ owned_by: owner }) => owner !== 'ensemble')).toEqual([
      {
        id: 'house-70b',
        object: 'model',
        created: expect.any(Number),
        owned_by: 'lab',
        name: 'House 70B',
        context_length: 131_072,
        vision: 'unknown',
        tools: 'unknown',
        web_search: false,
        priced: true,
        pricing: {
          input_usd_per_million: 0.5,
          output_usd_per_million: 2,
          cached_input_usd_per_million: 0.05,
          cache_write_input_usd_per_million: 0.625,
        },
      },
      expect.objectContaining({ id: 'house-guess', name: 'house-guess', owned_by: 'lab', priced: false }),
    ]);
  });

  it('an unknown price is said on the reply, in the month, in the ledger and once in the log', async () => {
    upstream.willReply(...Array.from({ length: 3 }, () => sendEvents(ANSWER)));
    const response = await app.chat({ model: 'house-70b', ai_ensemble: { models: ['house-guess', 'house-guess'] } });
    const { usage } = (await response.json()) as WireCompletion;
    expect(usage).toMatchObject({ unpriced_models: ['house-guess'] });
    expect((await month()).breakdown).toMatchObject([
      { model_id: 'house-70b', cost: 0.000_33 },
      { model_id: 'house-guess', n_requests: 2, cost: 0, priced: false },
    ]);
    const record = await app.container.store.findRecord(response.headers.get('x-request-id') ?? '');
    expect(record?.calls.map(({ modelId, priced }) => [modelId, priced])).toEqual([
      ['house-guess', false],
      ['house-guess', false],
      ['house-70b', true],
    ]);
    expect(app.logLines.filter((line) => line.includes('no price known'))).toEqual([
      expect.stringContaining('"modelId":"house-guess"'),
    ]);
  });

  it('never tells its key or its address to a client', async () => {
    const failed = await app.chat({ model: 'house-70b' });
    const told = (await failed.text()) + (await (await app.get('/v1/models')).text()) + app.logLines.join('\n');
    expect(failed.status).toBe(500);
    expect(told).not.toContain('lab-secret');
    expect(told).not.toContain(upstream.url);
  });
});

describe('a built-in model in the settings', () => {
  it('keeps its place in the list, with what the settings change', async () => {
    const MODEL_OVERRIDES = JSON.stringify({
      models: [
        { id: 'gpt-4o', price: { inputUsdPerMillion: 1, outputUsdPerMillion: 4 } },
        { id: 'claude-own', provider: 'anthropic' },
      ],
    });
    await using app = await startApp({ env: { MODEL_OVERRIDES, OPENAI_API_KEY: 'x' } });
    const { data } = (await (await app.get('/v1/models')).json()) as { data: { id: string; pricing?: object }[] };
    const ids = data.map(({ id }) => id);
    expect(ids.indexOf('gpt-4o')).toBe(ids.indexOf('gpt-4o-mini') - 1);
    expect(data.find(({ id }) => id === 'gpt-4o')).toMatchObject({
      name: 'GPT-4o',
      context_length: 128_000,
      pricing: { input_usd_per_million: 1, output_usd_per_million: 4 },
    });
    // Its provider is not configured, so it could not be asked.
    expect(ids).not.toContain('claude-own');
  });

  it('is listed also where a base URL of one’s own may serve anything', async () => {
    const MODEL_OVERRIDES = '{"models": [{"id": "llama3.2", "name": "Llama 3.2"}]}';
    const env = { MODEL_OVERRIDES, OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', DEFAULT_MODEL: 'mistral' };
    await using app = await startApp({ env });
    const { data } = (await (await app.get('/v1/models')).json()) as { data: { name: string; owned_by: string }[] };
    const own = data.filter(({ owned_by: owner }) => owner !== 'ensemble');
    expect(own.map(({ name }) => name)).toEqual(['Llama 3.2', 'mistral']);
  });
});

it('an endpoint that takes one call at a time gets the drafts of an ensemble one after another', async () => {
  const upstream = await startFakeUpstream(sendEvents(ANSWER));
  const models = ['a', 'b', 'c'].map((id) => ({ id, endpoint: 'local' }));
  const endpoints = { local: { baseUrl: `${upstream.url}/v1`, concurrency: 1 } };
  const env = { MODEL_OVERRIDES: JSON.stringify({ models, endpoints }) };
  const app = await startApp({ clock: systemClock, env, providers: {} });
  const drafts = models.map(() => underControl());
  upstream.willReply(...drafts.map(({ reply }) => reply));
  const ids = models.map(({ id }) => id);
  const replied = app.complete({ model: 'a', ai_ensemble: { models: ids, includeCandidates: true } });
  for (const [before, { exchange }] of drafts.entries()) {
    const { end } = await exchange;
    await app.get('/v1/models');
    expect(upstream.requests).toHaveLength(before + 1);
    end(ANSWER);
  }
  expect((await replied).body.choices[0].candidates).toHaveLength(3);
  await app.close();
  await upstream.close();
});
