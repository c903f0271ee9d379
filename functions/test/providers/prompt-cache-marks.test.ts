import { systemClock } from '../../src/lib/clock';
import { createOpenAiProvider } from '../../src/providers/openai/openai';
import { bearer, CHAT_PATH, startApp } from '../support/app';
import { during } from '../support/during';
import { sendEvents, sendStatus, startFakeUpstream } from '../support/fake-upstream';
import { PROTOCOLS } from '../support/protocols';
import { callOf, RecordingListener } from '../support/provider-calls';

/** Marks and keys of prompt caches by request: on the wire, from outside. */

interface Body {
  readonly system?: unknown;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly prompt_cache_key?: string;
  readonly stream_options?: unknown;
}

const LONG = 'The lessee shall keep the premises in good repair. '.repeat(500);
const user = (content: string) => ({ role: 'user', content });
const reply = { role: 'assistant', content: 'Noted.' };
const tool = { type: 'function', function: { name: 'look', parameters: { type: 'object' } } };
const named = { type: 'function', function: { name: 'look' } };
const calling = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }],
};
const result = { role: 'tool', tool_call_id: 'c1', content: 'Seen.' };

const upstream = during('all', () =>
  startFakeUpstream((exchange) => {
    const name = exchange.request.path.endsWith('/messages') ? 'anthropic' : 'openai';
    return sendEvents(PROTOCOLS.find((protocol) => protocol.name === name)?.events ?? '')(exchange);
  }),
);
const app = during('all', async () => {
  const baseUrl = `${upstream.url}/v1`;
  return startApp({
    clock: systemClock,
    // As OpenAI itself is asked.
    providers: { openai: createOpenAiProvider({ apiKey: 'sk-own', baseUrl }, 'responses') },
    env: {
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_BASE_URL: upstream.url,
      MODEL_OVERRIDES: JSON.stringify({
        models: [{ id: 'house-7', endpoint: 'house' }],
        endpoints: { house: { baseUrl } },
      }),
    },
  });
});

/** The bodies that one request sends, whoever is asked. */
async function sent(fields: object, key = app.key): Promise<Body[]> {
  const before = upstream.requests.length;
  const response = await app.post(CHAT_PATH, fields, bearer(key));
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
  return upstream.requests.slice(before).map(({ body }) => JSON.parse(body));
}

const marksIn = (bodies: readonly Body[]): number => JSON.stringify(bodies).split('"cache_control"').length - 1;

describe('Anthropic is told what to keep', () => {
  const messages = [{ role: 'system', content: 'Be brief.' }, user(LONG)];
  const model = 'claude-sonnet-5';

  it.each([
    ['of a long prompt with tools', { messages, tools: [tool] }, 2],
    ['of tools without a system prompt', { messages: [user(LONG)], tools: [tool] }, 2],
    ['of a prompt with results of tools', { messages: [...messages, calling, result], tools: [tool] }, 3],
    ['of results of tools that are not offered any more', { messages: [...messages, calling, result] }, 3],
    ['of a conversation with two replies', { messages: [...messages, reply, user('On.'), reply, user('On.')] }, 3],
    [
      'of a demanded call behind results',
      { messages: [...messages, calling, result], tools: [tool], tool_choice: named },
      3,
    ],
    ['nothing of a short prompt', { messages: [user('Hello')], tools: [tool] }, 0],
    ['nothing of a question without tools', { messages }, 0],
    ['nothing of a conversation with one reply', { messages: [...messages, reply, user('On.')] }, 0],
    ['nothing of a call demanded by name', { messages, tools: [tool], tool_choice: named }, 0],
    ['nothing of any call demanded', { messages, tools: [tool], tool_choice: 'required' }, 0],
  ])('%s', async (_, fields, marks) => {
    expect(marksIn(await sent({ model, ...fields }))).toBe(marks);
  });

  it('nothing from then on where it refuses marks: the request is asked without', async () => {
    const message = 'messages.0.content.0.text.cache_control: Extra inputs are not permitted';
    upstream.willReply(sendStatus(400, { type: 'error', error: { type: 'invalid_request_error', message } }));
    const fields = { model: 'claude-opus-4-8', messages, tools: [tool] };
    expect((await sent(fields)).map((body) => marksIn([body]))).toEqual([2, 0]);
    expect((await sent(fields)).map((body) => marksIn([body]))).toEqual([0]);
  });

  it('nothing below the minimum of the model', async () => {
    const prompt = { messages: [user(LONG.slice(0, 12_000))], tools: [tool] };
    expect(marksIn(await sent({ model: 'claude-haiku-4-5', ...prompt }))).toBe(0);
    expect(marksIn(await sent({ model, ...prompt }))).toBe(2);
  });
});

describe('the key of a prompt cache', () => {
  const SECRET = 'The code word is heliotrope. ';
  const messages = [{ role: 'system', content: SECRET }, user(LONG)];
  const keyOf = async (fields: object = {}, by = app.key) =>
    (await sent({ model: 'gpt-4.1-mini', messages, tools: [tool], ...fields }, by))[0]?.prompt_cache_key;

  it('is the caller’s, wherever the protocol has it, for all models of a panel', async () => {
    const caching = { prompt_cache_key: 'session-1' };
    const models = ['gpt-4.1-mini', 'house-7', 'claude-sonnet-5'];
    const bodies = await sent({ model: 'house-7', messages, ai_ensemble: { models, rounds: 1 }, ...caching });
    const [told, untold] = [true, false].map((isTold) => bodies.filter((body) => 'stream_options' in body === isTold));
    expect([told?.length, untold?.length]).toEqual([3, 1]);
    for (const body of told ?? []) expect(body).toMatchObject(caching);
    expect(untold?.[0]).not.toHaveProperty('prompt_cache_key');
  });

  it('is no longer than OpenAI takes it, and the same for the same', async () => {
    const long = 'session/'.repeat(50);
    const key = await keyOf({ prompt_cache_key: long });
    expect(key).toMatch(/^[\w-]{20,64}$/);
    expect(await keyOf({ prompt_cache_key: long })).toBe(key);
    expect(await keyOf({ prompt_cache_key: `${long}.` })).not.toBe(key);
  });

  it('is made from user, instructions and tools for OpenAI itself: nothing of them can be read', async () => {
    const key = await keyOf();
    expect(key).toMatch(/^[\w-]{43}$/);
    expect(await keyOf({ messages: [...messages, calling, result] })).toBe(key);
    const bob = await app.user('bob', 'pro');
    const others = [
      await keyOf({}, bob),
      await keyOf({ tools: [{ ...tool, function: { name: 'see' } }] }),
      await keyOf({ messages: [{ role: 'system', content: 'Be brief.' }, user(LONG)] }),
    ];
    expect(new Set([key, ...others]).size).toBe(4);
  });

  it('is not made for a short prompt, nor for other servers', async () => {
    expect(await keyOf({ messages: [user('Hello')] })).toBeUndefined();
    expect(await keyOf({ model: 'house-7' })).toBeUndefined();
  });

  it.each([
    [{ prompt_cache_key: 7 }, 'prompt_cache_key: must be a string'],
    [{ prompt_cache_key: 'x'.repeat(1_001) }, 'prompt_cache_key: at most 1,000 characters'],
  ])('that is none is refused: %j', async (fields, words) => {
    const response = await app.chat({ model: 'house-7', ...fields });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(words);
  });
});

describe('the router is told in parts of messages, for Claude alone', () => {
  const bodyOf = async (providerModel: string): Promise<Body> => {
    const turns = [
      { role: 'user', text: 'Look.' },
      { role: 'assistant', text: '', toolCalls: [{ id: 'c1', name: 'look', arguments: '{}' }] },
      { role: 'user', text: '', toolResults: [{ callId: 'c1', name: 'look', text: 'Seen.' }], cacheMarks: [0] },
      { role: 'user', text: 'And? Advice.', cacheMarks: [8] },
    ] as const;
    const router = createOpenAiProvider({ apiKey: 'k', baseUrl: `${upstream.url}/v1` }, 'router');
    await router.run(callOf({ providerModel, prompt: { system: 'Be brief.', turns } }), new RecordingListener());
    return JSON.parse(upstream.requests.at(-1)?.body ?? '');
  };

  it('marks what is kept, and has every text in a part', async () => {
    const text = (words: string) => ({ type: 'text', text: words });
    const cached = (words: string) => ({ ...text(words), cache_control: { type: 'ephemeral' } });
    expect((await bodyOf('anthropic/claude-sonnet-4.5')).messages).toEqual([
      { role: 'system', content: [cached('Be brief.')] },
      { role: 'user', content: [text('Look.')] },
      calling,
      { role: 'tool', tool_call_id: 'c1', content: [cached('Seen.')] },
      { role: 'user', content: [cached('And?')] },
      { role: 'user', content: [text(' Advice.')] },
    ]);
  });

  it('says nothing to others', async () => {
    const body = await bodyOf('deepseek/deepseek-chat');
    expect(marksIn([body])).toBe(0);
    expect(body.messages.slice(-2)).toEqual([result, { role: 'user', content: 'And? Advice.' }]);
  });
});
