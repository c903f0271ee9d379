import { during } from '../../../test/support/during';
import { type FakeClock, fakeClock } from '../../../test/support/fake-clock';
import { sendStatus, startFakeUpstream, underControl } from '../../../test/support/fake-upstream';
import { ROUTER_LIST, sendRouterList } from '../../../test/support/playground';
import { keptModels, modelsIn } from './server-models';

const TIMES = { maxMs: 10_000, freshMs: 600_000 };
const SLUGS = ROUTER_LIST.data.map(({ id }) => id);
const unknown = (id: string) =>
  ({ id, name: id, chats: true, contextTokens: null, vision: 'unknown', tools: 'unknown', price: null }) as const;

/** Lists as these servers send them, without what is not read. */
const LISTS: readonly [server: string, body: object, models: readonly object[]][] = [
  [
    'Ollama',
    {
      object: 'list',
      data: [
        { id: 'llama3.2:3b', object: 'model', created: 1_735_142_223, owned_by: 'library' },
        { id: 'nomic-embed-text:latest', object: 'model', created: 1_735_142_223, owned_by: 'library' },
      ],
    },
    [unknown('llama3.2:3b'), { ...unknown('nomic-embed-text:latest'), chats: false }],
  ],
  [
    'vLLM',
    {
      object: 'list',
      data: [
        {
          id: 'Qwen/Qwen3-8B',
          object: 'model',
          owned_by: 'vllm',
          root: 'Qwen/Qwen3-8B',
          parent: null,
          max_model_len: 40_960,
          permission: [{ id: 'modelperm-1', allow_sampling: true }],
        },
      ],
    },
    [{ ...unknown('Qwen/Qwen3-8B'), contextTokens: 40_960 }],
  ],
  [
    'llama.cpp, whose second list tells what a model can; the trained context is not the one it holds to',
    {
      models: [
        {
          name: '../models/gemma-3-4b-it-Q4_K_M.gguf',
          model: '../models/gemma-3-4b-it-Q4_K_M.gguf',
          type: 'model',
          capabilities: ['completion', 'multimodal'],
        },
      ],
      object: 'list',
      data: [
        {
          id: '../models/gemma-3-4b-it-Q4_K_M.gguf',
          object: 'model',
          owned_by: 'llamacpp',
          meta: { vocab_type: 2, n_ctx_train: 131_072, n_params: 8_030_261_312 },
        },
        { id: 'loaded', meta: { n_ctx: 8_192, n_ctx_train: 131_072 } },
      ],
    },
    [
      { ...unknown('../models/gemma-3-4b-it-Q4_K_M.gguf'), vision: true },
      { ...unknown('loaded'), contextTokens: 8_192 },
    ],
  ],
  [
    'LM Studio',
    {
      object: 'list',
      data: [
        { id: 'qwen2-vl-7b-instruct', object: 'model', owned_by: 'organization_owner' },
        { id: 'text-embedding-nomic-embed-text-v1.5', object: 'model', owned_by: 'organization_owner' },
      ],
    },
    [unknown('qwen2-vl-7b-instruct'), { ...unknown('text-embedding-nomic-embed-text-v1.5'), chats: false }],
  ],
  [
    'OpenRouter',
    {
      data: [
        {
          id: 'owl/eagle-1',
          name: 'Owl: Eagle 1',
          pricing: { prompt: '0.00000015', completion: '0.0000006', request: '0' },
          context_length: 200_000,
          architecture: { input_modalities: ['text', 'image'] },
          supported_parameters: ['tools'],
        },
        { id: 'owl/mole', architecture: { input_modalities: ['text'] }, supported_parameters: ['seed'] },
      ],
    },
    [
      {
        ...unknown('owl/eagle-1'),
        name: 'Owl: Eagle 1',
        contextTokens: 200_000,
        vision: true,
        tools: true,
        price: { inputUsdPerMillion: 0.15, outputUsdPerMillion: 0.6 },
      },
      { ...unknown('owl/mole'), vision: false, tools: false },
    ],
  ],
  [
    'Mistral',
    {
      data: [
        {
          id: 'mistral-small-latest',
          capabilities: { completion_chat: true, function_calling: true, vision: false },
          max_context_length: 131_072,
        },
      ],
    },
    [{ ...unknown('mistral-small-latest'), contextTokens: 131_072, vision: false, tools: true }],
  ],
  [
    'Together, a bare list',
    [
      { id: 'meta/Llama', type: 'chat', context_length: 8_192 },
      { id: 'FLUX', type: 'image' },
    ],
    [
      { ...unknown('meta/Llama'), contextTokens: 8_192 },
      { ...unknown('FLUX'), chats: false },
    ],
  ],
  ['a list of names', { models: [{ name: 'phi4:latest' }] }, [unknown('phi4:latest')]],
  ['a server without models', { object: 'list', data: [] }, []],
];

describe('the models of a server', () => {
  const server = during('each', startFakeUpstream);

  const read = async (body: object) => {
    server.willReply(sendStatus(200, body));
    const list = keptModels({ apiKey: 'none', baseUrl: `${server.url}/v1` }, TIMES, fakeClock());
    return (await list()).value ?? [];
  };

  it.each(LISTS)('are read as %s lists them', async (_, body, models) => {
    expect(await read(body)).toEqual(models);
    expect(server.requests).toMatchObject([{ method: 'GET', path: '/v1/models' }]);
  });

  it('have ids that nothing is hidden in, each once, and two thousand of them at most', async () => {
    const hostile = [null, 'text', [], { id: 7 }, { id: '' }, { id: ' a' }, { id: 'a\u001b[2J' }, { id: 'b\nc' }];
    const more = [{ id: '\u202eevil' }, { id: 'x'.repeat(201) }, { id: '__proto__' }, { id: 'twice' }, { id: 'twice' }];
    expect((await read({ data: [...hostile, ...more] })).map(({ id }) => id)).toEqual(['__proto__', 'twice']);
    const many = Array.from({ length: 2_500 }, (_, at) => ({ id: `m${at}` }));
    expect(await read({ data: many })).toHaveLength(2_000);
  });

  it.each([
    { max_model_len: -1 },
    { max_model_len: 0 },
    { context_length: 'many' },
    { context_length: 1e12 },
    { pricing: { prompt: '-1', completion: '-1' } },
    { pricing: { prompt: '', completion: null } },
    { pricing: { prompt: '1 or more', completion: 'much' } },
    { name: ' \n\u202e' },
    { meta: 'text', architecture: [], capabilities: 7, supported_parameters: { tools: true }, type: {} },
  ])('have no facts that cannot be: %j', async (facts) => {
    expect(await read({ data: [{ id: 'm', ...facts }] })).toEqual([unknown('m')]);
  });

  it('are read without a copy of all that a second list says of one, for each entry of its id', () => {
    let copies = 0;
    const second = { name: 'x', capabilities: ['multimodal'] };
    const models = [Object.defineProperty(second, 'more', { enumerable: true, get: () => (copies += 1) })];
    expect(modelsIn({ data: [{ id: 'x' }, { id: 'x' }], models })).toMatchObject([{ id: 'x', vision: true }]);
    expect(copies).toBe(0);
  });

  it('have names in one line, of 200 characters at most, which end with a whole one; a price of 0 is one', async () => {
    const facts = async (entry: object) => (await read({ data: [{ id: 'o/m', ...entry }] }))[0];
    expect((await facts({ name: ' two\n \tlines\u202e ' }))?.name).toBe('two lines');
    expect((await facts({ name: 'x'.repeat(300) }))?.name).toBe('x'.repeat(200));
    expect((await facts({ name: `${'x'.repeat(199)}🍅` }))?.name).toBe(`${'x'.repeat(199)}\ufffd`);
    const free = { inputUsdPerMillion: 0, outputUsdPerMillion: 0 };
    expect((await facts({ pricing: { prompt: '0', completion: 0 } }))?.price).toEqual(free);
  });
});

describe('a list that is kept', () => {
  const server = during('each', startFakeUpstream);
  let clock: FakeClock;
  let list: ReturnType<typeof keptModels>;
  beforeEach(() => {
    clock = fakeClock();
    list = keptModels({ baseUrl: `${server.url}/api/v1` }, TIMES, clock);
  });

  const ids = async () => (await list()).value?.map(({ id }) => id);

  it('is asked for without any key where there is none', async () => {
    server.willReply(sendRouterList);
    expect(await ids()).toEqual(SLUGS);
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /api/v1/models']);
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it.each([
    ['fails', sendStatus(500, 'secret upstream words')],
    ['fails with a list all the same', sendStatus(500, ROUTER_LIST)],
    ['sends no JSON', sendStatus(200, 'secret upstream words')],
    ['sends no list', sendStatus(200, { models: 'secret upstream words' })],
    ['redirects', sendStatus(302, ROUTER_LIST, { location: 'http://127.0.0.1:9/stolen' })],
    ['sends more than 4 MiB', sendStatus(200, `{"data":["${'x'.repeat(4 * 1024 * 1024)}"]}`)],
  ])('is none when the server %s, without its words, and is asked for anew the next time', async (_, reply) => {
    server.willReply(reply, sendRouterList);
    const { value, error } = await list();
    expect([value, error]).toEqual([undefined, expect.any(Error)]);
    expect(String(error)).not.toContain('secret upstream words');
    expect(await ids()).toEqual(SLUGS);
  });

  it('is not waited for longer than it may take', async () => {
    const silent = underControl();
    server.willReply(silent.reply);
    const asked = list();
    const exchange = await silent.exchange;
    await clock.advance(10_000);
    expect(await asked).toEqual({ error: expect.objectContaining({ message: 'it did not answer within 10000 ms' }) });
    await exchange.disconnected;
  });
});
