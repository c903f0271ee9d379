import { type ModelProvider, type ProviderCall, textOfPieces } from '../../src/models/model';
import { createGoogleProvider } from '../../src/providers/google/google';
import { createOpenAiProvider } from '../../src/providers/openai/openai';
import { during } from '../support/during';
import { event, refusedUrl, sendEvents, sendStatus, startFakeUpstream } from '../support/fake-upstream';
import { PROTOCOLS, type Protocol } from '../support/protocols';
import { callOf, faultOf, LOOK, RecordingListener } from '../support/provider-calls';

/** Requests as each protocol has them. */

const upstream = during('each', startFakeUpstream);

async function sentBy(provider: ModelProvider, call: Partial<ProviderCall>, events: string) {
  upstream.willReply(sendEvents(events));
  await provider.run(callOf(call), new RecordingListener());
  const request = upstream.requests.at(-1);
  return { path: request?.path, headers: request?.headers ?? {}, body: JSON.parse(request?.body ?? '') };
}

const TURNS: ProviderCall['prompt']['turns'] = [
  { role: 'user', text: 'One' },
  { role: 'assistant', text: 'Two' },
  { role: 'user', text: 'Three' },
];
const FULL: Partial<ProviderCall> = {
  providerModel: 'model-x',
  prompt: { system: 'Be brief.', turns: TURNS },
  sampling: { temperature: 0.3, topP: 0.5 },
  maxOutputTokens: 64_000,
};
const ANTHROPIC_IMAGE = (media_type: string, data: string) => ({
  type: 'image',
  source: { type: 'base64', media_type, data },
});

interface Wire {
  readonly path: string;
  readonly headers?: object;
  /** Body of a call with everything, and of one with nothing but a turn. */
  readonly full: object;
  readonly plain: object;
  /** The turn `LOOK`, and the field that has the turns. */
  readonly look: object;
  readonly turnsIn: string;
  /** Variables that the SDK would read. */
  readonly variables: readonly string[];
}

const messages = TURNS.map(({ role, text: content }) => ({ role, content }));
const hello = [{ role: 'user', content: 'Hello' }];
const WIRES: Readonly<Record<Protocol['name'], Wire>> = {
  openai: {
    path: '/v1/chat/completions',
    full: {
      model: 'model-x',
      messages: [{ role: 'system', content: 'Be brief.' }, ...messages],
      ...{ stream: true, stream_options: { include_usage: true }, temperature: 0.3, top_p: 0.5 },
    },
    plain: { model: 'some-model', messages: hello, stream: true, stream_options: { include_usage: true } },
    look: {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,cG5n' } },
        { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,anBn' } },
      ],
    },
    turnsIn: 'messages',
    variables: ['OPENAI_ORG_ID', 'OPENAI_PROJECT_ID', 'OPENAI_ADMIN_KEY'],
  },
  anthropic: {
    path: '/v1/messages',
    headers: { 'anthropic-version': expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) },
    // Of both sampling settings one: newer models refuse them together.
    full: { model: 'model-x', max_tokens: 64_000, system: 'Be brief.', messages, stream: true, temperature: 0.3 },
    plain: { model: 'some-model', max_tokens: 8_192, messages: hello, stream: true },
    look: {
      role: 'user',
      content: [
        ANTHROPIC_IMAGE('image/png', 'cG5n'),
        ANTHROPIC_IMAGE('image/jpeg', 'anBn'),
        { type: 'text', text: 'Look' },
      ],
    },
    turnsIn: 'messages',
    variables: ['ANTHROPIC_AUTH_TOKEN'],
  },
  google: {
    path: '/v1beta/models/model-x:streamGenerateContent?alt=sse',
    full: {
      contents: TURNS.map(({ role, text }) => ({ role: role === 'user' ? role : 'model', parts: [{ text }] })),
      systemInstruction: { role: 'system', parts: [{ text: 'Be brief.' }] },
      generationConfig: { temperature: 0.3, topP: 0.5 },
    },
    plain: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }], generationConfig: {} },
    look: {
      role: 'user',
      parts: [
        { inlineData: { mimeType: 'image/png', data: 'cG5n' } },
        { inlineData: { mimeType: 'image/jpeg', data: 'anBn' } },
        { text: 'Look' },
      ],
    },
    turnsIn: 'contents',
    variables: [
      ...['GOOGLE_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_GENAI_API_KEY', 'GOOGLE_GENAI_ACCESS_TOKEN'],
      ...['GOOGLE_GENAI_API_VERSION', 'GOOGLE_GENAI_USER_PROJECT', 'GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_LOCATION'],
      ...['GOOGLE_APPLICATION_CREDENTIALS'],
    ],
  },
};

describe.each(PROTOCOLS)('$name', (protocol) => {
  const { path, headers, full, plain, look, turnsIn, variables } = WIRES[protocol.name];
  const sent = (call: Partial<ProviderCall>) => sentBy(protocol.create(upstream.url), call, protocol.events);

  it('carries model, key, system, turns and sampling', async () => {
    const request = await sent(FULL);
    expect(request).toMatchObject({ path, headers: { 'content-type': 'application/json', ...headers }, body: full });
    expect(Object.keys(request.body).toSorted()).toEqual(Object.keys(full).toSorted());
    expect(JSON.stringify(request.headers)).toContain('sk-wire');
  });

  it('has nothing that the call does not name', async () => {
    expect((await sent({})).body).toEqual(plain);
  });

  it('carries images', async () => {
    expect((await sent({ prompt: { turns: [LOOK] } })).body[turnsIn]).toEqual([look]);
  });

  it('sends only the headers that the protocol needs: none that describes the machine or sets a time', async () => {
    const needed =
      /^(accept(-encoding)?|anthropic-version|authorization|connection|content-(length|type)|host|user-agent|x-(goog-)?api-key)$/;
    expect(Object.keys((await sent({})).headers).filter((name) => !needed.test(name))).toEqual([]);
  });

  it('takes nothing from the environment', async () => {
    const before = process.env;
    const url = await refusedUrl();
    const leaks = Object.fromEntries(variables.map((name) => [name, 'leak']));
    const flags = {
      GOOGLE_GENAI_USE_VERTEXAI: 'true',
      GOOGLE_GENAI_USE_ENTERPRISE: 'true',
      GOOGLE_GENAI_DEBUG: 'true',
    };
    process.env = { ...before, ...flags, ...leaks, GOOGLE_GEMINI_BASE_URL: url, GOOGLE_VERTEX_BASE_URL: url };
    await sent({}).finally(() => {
      process.env = before;
    });
    expect(JSON.stringify(upstream.requests)).not.toContain('leak');
  });
});

const [openai, anthropic, google] = PROTOCOLS as readonly [Protocol, Protocol, Protocol];

it('OpenAI: goes out also without a key, as self-hosted servers want it, with turns of one role in a row', async () => {
  const keyless = createOpenAiProvider({ apiKey: '', baseUrl: upstream.url });
  const turns = [...TURNS, { role: 'user', text: 'Four' } as const];
  const { body } = await sentBy(keyless, { prompt: { turns } }, openai.events);
  expect(body.messages).toEqual([...messages, { role: 'user', content: 'Four' }]);
});

describe('Anthropic', () => {
  const sent = async (call: Partial<ProviderCall>) =>
    (await sentBy(anthropic.create(upstream.url), call, anthropic.events)).body;
  const plain = (text: string) => ({ type: 'text', text });
  const cached = (text: string) => ({ ...plain(text), cache_control: { type: 'ephemeral' } });
  const inBlocks = ({ role, content }: { role: string; content: string }) => ({ role, content: [plain(content)] });

  it.each([
    ['what is shown again', 'Is it? 🍅', '\n\nYour draft: …'],
    ['what is shown again and long', 'é'.repeat(20_000), `\n\nYour draft: ${'"'.repeat(9_000)}`],
    // The protocol refuses a block without text.
    ['a turn that is shown again as a whole', 'Is it?', ''],
  ])('marks %s for the cache, and sends every word once', async (_, message, more) => {
    const turn = { role: 'user' as const, ...textOfPieces([message, more]), cacheMarks: [more.length] };
    const body = await sent({ prompt: { turns: [...TURNS.slice(0, 2), turn] } });
    const content = [cached(message), ...(more === '' ? [] : [plain(more)])];
    expect(body.messages).toEqual([...messages.slice(0, 2).map(inBlocks), { role: 'user', content }]);
  });

  it('marks the end of turns that had to be joined', async () => {
    const turns = ['One.', 'Two.'].map((text) => ({ role: 'user' as const, text, cacheMarks: [0] }));
    const { messages: joined } = await sent({ prompt: { turns } });
    expect(joined).toEqual([{ role: 'user', content: [cached('One.\n\nTwo.')] }]);
  });

  it('marks the last result that has a text, as the protocol keeps no empty one', async () => {
    const called = ['a', 'b', 'c'].map((id) => ({ id, name: 'look', arguments: '{}' }));
    const toolResults = called.map(({ id: callId, name }) => ({ callId, name, text: callId === 'c' ? '' : 'Seen.' }));
    const turns = [
      { role: 'assistant' as const, text: '', toolCalls: called },
      { role: 'user' as const, text: '', toolResults, cacheMarks: [0] },
    ];
    const { messages: marked } = await sent({ prompt: { turns } });
    const { content } = marked.at(-1);
    expect(content.map((block: object) => 'cache_control' in block)).toEqual([false, true, false]);
  });

  it('marks two places of one turn, and what stands before all turns', async () => {
    const turns = [{ role: 'user' as const, text: 'One.Two.Three.', cacheMarks: [10, 6] }];
    const { system, messages: marked } = await sent({ prompt: { system: 'Be brief.', turns } });
    expect(system).toEqual([cached('Be brief.')]);
    expect(marked).toEqual([{ role: 'user', content: [cached('One.'), cached('Two.'), plain('Three.')] }]);
  });

  it.each([
    [{ temperature: 1.7 }, [1, undefined]],
    [{ temperature: 0 }, [0, undefined]],
    [{ topP: 0.5 }, [undefined, 0.5]],
  ])('sends the sampling %j as %j', async (sampling, expected) => {
    const { temperature, top_p } = await sent({ sampling });
    expect([temperature, top_p]).toEqual(expected);
  });
});

describe('Google', () => {
  const run = ({ apiKey = 'AIza-ours', baseUrl = upstream.url, providerModel = 'm' } = {}) =>
    createGoogleProvider({ apiKey, baseUrl }).run(callOf({ providerModel }), new RecordingListener());
  const PATH = '/v1beta/models/m:streamGenerateContent?alt=sse';

  it.each(['../v1/x', 'gemini/../../x', 'gemini..x', 'gemini-x:countTokens?', 'gemini x', ''])(
    'is not asked for a model name that would change the URL: %j',
    async (providerModel) => {
      expect((await faultOf(run({ providerModel }))).kind).toBe('not_found');
      expect(upstream.requests).toHaveLength(0);
    },
  );

  it.each([
    ['/', 'm', PATH],
    ['/gateway/', 'm', `/gateway${PATH}`],
    ['', 'tunedModels/t-1', '/v1beta/tunedModels/t-1:streamGenerateContent?alt=sse'],
    ['', 'models/m', PATH],
  ])('a base URL that ends in %j and the model %s make the path %s', async (end, providerModel, path) => {
    upstream.willReply(sendEvents(google.events));
    await run({ baseUrl: upstream.url + end, providerModel });
    expect(upstream.requests[0]?.path).toBe(path);
  });

  it('a reply that could be continued is one request', async () => {
    const content = { role: 'model', parts: [{ text: 'a' }] };
    const broken = event({ candidates: [{ content, finishReason: 'MAX_TOKENS', continuationToken: 'more' }] });
    upstream.willReply(sendEvents(broken), sendEvents(google.events));
    await expect(run()).resolves.toBe('length');
    expect(upstream.requests).toHaveLength(1);
  });

  it.each(['AIza-ours', 'auth_tokens/ours', 'none', ''])(
    'the key %j is sent as it is, in the header alone, and nothing is written to the console',
    async (apiKey) => {
      const levels = ['debug', 'info', 'log', 'warn', 'error'] as const;
      const spies = levels.map((level) => jest.spyOn(console, level).mockImplementation(() => undefined));
      upstream.willReply(sendEvents(google.events), sendStatus(400, { error: { code: 400, message: 'secret words' } }));
      await run({ apiKey });
      await faultOf(run({ apiKey }));
      expect(upstream.requests).toMatchObject(Array(2).fill({ path: PATH, headers: { 'x-goog-api-key': apiKey } }));
      expect(spies.flatMap((spy) => spy.mock.calls)).toEqual([]);
      jest.restoreAllMocks();
    },
  );
});
