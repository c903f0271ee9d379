import {
  type FakeUpstream,
  type RecordedRequest,
  sendEvents,
  startFakeUpstream,
} from '../../../test/support/fake-upstream';
import { fixture } from '../../../test/support/protocols';
import { callOf, faultOf, LOOK, RecordingListener } from '../../../test/support/provider-calls';
import { type ModelProvider, type ProviderCall, textOfPieces } from '../../models/model';
import type { ModelFaultKind } from '../../models/model-fault';
import { createAnthropicProvider } from './anthropic';

let upstream: FakeUpstream;
let provider: ModelProvider;
let listener: RecordingListener;

beforeEach(async () => {
  upstream = await startFakeUpstream();
  provider = createAnthropicProvider({ apiKey: 'sk-ant-test', baseUrl: upstream.url });
  listener = new RecordingListener();
});

afterEach(() => upstream.close());

function event(fields: Readonly<Record<string, unknown>>): string {
  return `event: ${fields['type']}\ndata: ${JSON.stringify(fields)}\n\n`;
}

const STOP = event({ type: 'message_stop' });

async function sent(call: Partial<ProviderCall>): Promise<RecordedRequest & { readonly json: object }> {
  upstream.willReply(sendEvents(STOP));
  await provider.run(callOf(call), listener);
  const request = upstream.requests.at(-1);
  if (!request) throw new Error('no request came');
  return { ...request, json: JSON.parse(request.body) };
}

describe('the request', () => {
  test.each([
    { size: 'short', message: 'Is it? 🍅', more: '\n\nYour draft: …' },
    { size: 'long', message: 'é'.repeat(20_000), more: `\n\nYour draft: ${'"'.repeat(9_000)}` },
  ])('marks what is shown again for the cache, and sends every word once ($size)', async ({ message, more }) => {
    const turn = { role: 'user' as const, ...textOfPieces([message, more]) };
    const earlier = { role: 'assistant' as const, text: 'Hello.' };
    const prompt = {
      turns: [{ role: 'user' as const, text: 'Hi' }, earlier, turn],
      repeatedCharacters: message.length,
    };
    const { json } = await sent({ prompt });
    expect(json).toMatchObject({
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: message, cache_control: { type: 'ephemeral' } },
            { type: 'text', text: more },
          ],
        },
      ],
    });
    expect(JSON.stringify(json).split('cache_control')).toHaveLength(2);
  });

  test('marks a turn that is shown again as a whole, without an empty block, which the protocol refuses', async () => {
    const { json } = await sent({ prompt: { turns: [{ role: 'user', text: 'Is it?' }], repeatedCharacters: 6 } });
    const content = [{ type: 'text', text: 'Is it?', cache_control: { type: 'ephemeral' } }];
    expect(json).toMatchObject({ messages: [{ role: 'user', content }] });
  });

  test('marks nothing where turns had to be joined: the beginning is another there', async () => {
    const turns = ['One.', 'Two.'].map((text) => ({ role: 'user' as const, text }));
    const { json } = await sent({ prompt: { turns, repeatedCharacters: 3 } });
    expect(json).toMatchObject({ messages: [{ role: 'user', content: 'One.\n\nTwo.' }] });
  });

  test('carries images in front of the text of their turn', async () => {
    const { json } = await sent({ prompt: { turns: [LOOK] } });
    const source = { type: 'base64', media_type: 'image/png', data: 'cG5n' };
    expect(json).toMatchObject({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source },
            { type: 'image', source: { ...source, media_type: 'image/jpeg', data: 'anBn' } },
            { type: 'text', text: 'Look' },
          ],
        },
      ],
    });
  });

  test('carries key, model, system, turns, temperature and the model’s own output limit', async () => {
    const request = await sent({
      providerModel: 'claude-x',
      prompt: {
        system: 'Be brief.',
        turns: [
          { role: 'user', text: 'One' },
          { role: 'assistant', text: 'Two' },
          { role: 'user', text: 'Three' },
        ],
      },
      sampling: { temperature: 0.3 },
      maxOutputTokens: 64_000,
    });
    expect(request).toMatchObject({ method: 'POST', path: '/v1/messages' });
    // The SDK decides which of the two headers carries the key.
    expect([request.headers.authorization, request.headers['x-api-key']].join(' ')).toContain('sk-ant-test');
    expect(request.headers['anthropic-version']).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(request.json).toEqual({
      model: 'claude-x',
      max_tokens: 64_000,
      system: 'Be brief.',
      messages: [
        { role: 'user', content: 'One' },
        { role: 'assistant', content: 'Two' },
        { role: 'user', content: 'Three' },
      ],
      stream: true,
      temperature: 0.3,
    });
  });

  test('has no system, no sampling, and a limit of 8192 when there are none', async () => {
    const { json } = await sent({ providerModel: 'claude-x' });
    expect(json).toEqual({
      model: 'claude-x',
      max_tokens: 8_192,
      messages: [{ role: 'user', content: 'Hello' }],
      stream: true,
    });
  });

  test.each([
    [{ temperature: 1.7 }, { temperature: 1 }],
    [{ temperature: 0 }, { temperature: 0 }],
    [{ topP: 0.5 }, { top_p: 0.5 }],
    [{ temperature: 0.5, topP: 0.5 }, { temperature: 0.5 }],
  ])('sampling %j is sent as %j', async (sampling, expected) => {
    const { json } = await sent({ sampling });
    expect(json).toMatchObject(expected);
    const names = Object.keys(json).filter((name) => /temperature|top_p/.test(name));
    expect(names).toEqual(Object.keys(expected));
  });

  test('takes no key from the environment', async () => {
    process.env['ANTHROPIC_AUTH_TOKEN'] = 'leak';
    const { headers } = await sent({});
    delete process.env['ANTHROPIC_AUTH_TOKEN'];
    expect(JSON.stringify(headers)).not.toContain('leak');
  });
});

describe('usage', () => {
  test('is gross: cached and cache-writing prompt tokens are part of the prompt, thinking of the completion', async () => {
    upstream.willReply(sendEvents(fixture('anthropic.chunks.txt')));
    await provider.run(callOf(), listener);
    const prompt = { promptTokens: 1200, cachedPromptTokens: 1024, cacheWritePromptTokens: 76 };
    expect(listener.usages).toEqual([
      { ...prompt, completionTokens: 2 },
      { ...prompt, completionTokens: 340, reasoningTokens: 320 },
    ]);
  });

  test('of the prompt may be corrected at the end', async () => {
    upstream.willReply(
      sendEvents(
        event({ type: 'message_start', message: { usage: { input_tokens: 10, output_tokens: 1 } } }) +
          event({ type: 'message_delta', delta: {}, usage: { input_tokens: 50, output_tokens: 9 } }) +
          STOP,
      ),
    );
    await provider.run(callOf(), listener);
    expect(listener.usages.at(-1)).toEqual({ promptTokens: 50, completionTokens: 9 });
  });
});

describe('events', () => {
  test('each step and each thought is a sign of life and no text; a ping is neither', async () => {
    upstream.willReply(sendEvents(event({ type: 'ping' }) + STOP), sendEvents(fixture('anthropic.chunks.txt')));
    await provider.run(callOf(), listener);
    expect(listener.aliveCount).toBe(0);
    await provider.run(callOf(), listener);
    // The start of the message, two blocks' starts and ends, one thinking_delta and one signature_delta.
    expect(listener.aliveCount).toBe(7);
    expect(listener.texts.join('')).not.toContain('greet');
  });

  test.each<[string, ModelFaultKind]>([
    ['overloaded_error', 'overloaded'],
    ['rate_limit_error', 'rate_limited'],
    ['api_error', 'server'],
    ['authentication_error', 'unauthorized'],
    ['permission_error', 'unauthorized'],
    ['not_found_error', 'not_found'],
    ['invalid_request_error', 'bad_request'],
    ['timeout_error', 'timeout'],
  ])('error %s is %s', async (type, kind) => {
    upstream.willReply(sendEvents(event({ type: 'error', error: { type, message: 'x' } })));
    expect((await faultOf(provider.run(callOf(), listener))).kind).toBe(kind);
  });
});
