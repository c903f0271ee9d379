import {
  event,
  type FakeUpstream,
  sendEvents,
  sendStatus,
  startFakeUpstream,
} from '../../../test/support/fake-upstream';
import { fixture } from '../../../test/support/protocols';
import { callOf, faultOf, LOOK, RecordingListener } from '../../../test/support/provider-calls';
import type { ModelProvider } from '../../models/model';
import type { ModelFaultKind } from '../../models/model-fault';
import { createOpenAiProvider } from './openai';

let upstream: FakeUpstream;
let provider: ModelProvider;
let listener: RecordingListener;

beforeEach(async () => {
  upstream = await startFakeUpstream();
  provider = createOpenAiProvider({ apiKey: 'sk-test', baseUrl: `${upstream.url}/v1` });
  listener = new RecordingListener();
});

afterEach(() => upstream.close());

function delta(fields: object, finishReason: string | null = null): string {
  return event({ choices: [{ index: 0, delta: fields, finish_reason: finishReason }] });
}

const STOP = delta({}, 'stop');

test('thoughts in the text of a reply are not heard; usage is as reported, theirs included', async () => {
  const usage = { prompt_tokens: 5, completion_tokens: 30, completion_tokens_details: { reasoning_tokens: 29 } };
  const pieces = ['<th', 'ink>Is it 41?', ' No.</thi', 'nk>\n\n', '42'].map((content) => delta({ content }));
  upstream.willReply(sendEvents(pieces.join('') + STOP + event({ choices: [], usage })));
  await provider.run(callOf(), listener);
  expect(listener.texts).toEqual(['42']);
  expect(listener.aliveCount).toBeGreaterThan(2);
  expect(listener.usages).toEqual([{ promptTokens: 5, completionTokens: 30, reasoningTokens: 29 }]);
});

describe('the request', () => {
  test('carries images as data URLs behind the text of their turn', async () => {
    upstream.willReply(sendEvents(STOP));
    await provider.run(callOf({ prompt: { turns: [{ role: 'assistant', text: 'Hi' }, LOOK] } }), listener);
    expect(JSON.parse(upstream.requests[0]?.body ?? '').messages).toEqual([
      { role: 'assistant', content: 'Hi' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,cG5n' } },
          { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,anBn' } },
        ],
      },
    ]);
  });

  test('carries key, model, system first, all turns and the sampling, and asks for usage', async () => {
    upstream.willReply(sendEvents(STOP));
    await provider.run(
      callOf({
        providerModel: 'gpt-x',
        prompt: {
          system: 'Be brief.',
          turns: [
            { role: 'user', text: 'One' },
            { role: 'assistant', text: 'Two' },
            { role: 'user', text: 'Three' },
            { role: 'user', text: 'Four' },
          ],
        },
        sampling: { temperature: 1.7, topP: 0.5 },
        maxOutputTokens: 99,
      }),
      listener,
    );
    const [request] = upstream.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/v1/chat/completions' });
    expect(request?.headers).toMatchObject({ authorization: 'Bearer sk-test', 'content-type': 'application/json' });
    expect(JSON.parse(request?.body ?? '')).toEqual({
      model: 'gpt-x',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'One' },
        { role: 'assistant', content: 'Two' },
        { role: 'user', content: 'Three' },
        { role: 'user', content: 'Four' },
      ],
      stream: true,
      stream_options: { include_usage: true },
      temperature: 1.7,
      top_p: 0.5,
    });
  });

  test('takes nothing from the environment', async () => {
    process.env['OPENAI_ORG_ID'] = 'org-leak';
    process.env['OPENAI_PROJECT_ID'] = 'proj-leak';
    process.env['OPENAI_ADMIN_KEY'] = 'sk-admin-leak';
    upstream.willReply(sendEvents(STOP));
    await provider.run(callOf(), listener);
    for (const name of ['OPENAI_ORG_ID', 'OPENAI_PROJECT_ID', 'OPENAI_ADMIN_KEY']) delete process.env[name];
    expect(JSON.stringify(upstream.requests)).not.toContain('leak');
  });

  test('goes out also without a key, as self-hosted servers want it', async () => {
    upstream.willReply(sendEvents(STOP));
    const keyless = createOpenAiProvider({ apiKey: '', baseUrl: upstream.url });
    await expect(keyless.run(callOf(), listener)).resolves.toBe('stop');
  });
});

describe('usage', () => {
  test('comes with cached and reasoning tokens from the chunk without choices', async () => {
    upstream.willReply(sendEvents(fixture('openai.chunks.txt')));
    await provider.run(callOf(), listener);
    expect(listener.usages).toEqual([
      { promptTokens: 1200, completionTokens: 340, cachedPromptTokens: 1024, reasoningTokens: 320 },
    ]);
  });

  test.each([
    {
      rule: 'prompt tokens written to a cache are told apart',
      usage: {
        prompt_tokens: 900,
        completion_tokens: 20,
        total_tokens: 920,
        prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 800 },
      },
      report: { promptTokens: 900, completionTokens: 20, cachedPromptTokens: 0, cacheWritePromptTokens: 800 },
    },
    {
      rule: 'reasoning left out of the completion, as xAI reports it, is part of ours',
      usage: {
        prompt_tokens: 10_120,
        completion_tokens: 1_499,
        total_tokens: 14_428,
        prompt_tokens_details: { cached_tokens: 128 },
        completion_tokens_details: { reasoning_tokens: 2_809 },
      },
      report: { promptTokens: 10_120, completionTokens: 4_308, cachedPromptTokens: 128, reasoningTokens: 2_809 },
    },
    {
      rule: 'reasoning that only the total has, as Gemini’s compatible endpoint reports it, is part of the completion',
      usage: { prompt_tokens: 758, completion_tokens: 102, total_tokens: 1_725 },
      report: { promptTokens: 758, completionTokens: 967 },
    },
    {
      rule: 'tokens of a cache that only the total has are part of the prompt, and are not generated',
      usage: {
        ...{ prompt_tokens: 100, completion_tokens: 20, total_tokens: 10_120 },
        prompt_tokens_details: { cached_tokens: 9_000, cache_write_tokens: 1_000 },
      },
      report: {
        ...{ promptTokens: 10_100, completionTokens: 20 },
        ...{ cachedPromptTokens: 9_000, cacheWritePromptTokens: 1_000 },
      },
    },
    {
      rule: 'what the total has beyond the tokens of a cache was generated',
      usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 9_220, cache_read_input_tokens: 9_000 },
      report: { promptTokens: 9_100, completionTokens: 120, cachedPromptTokens: 9_000 },
    },
    {
      rule: 'of two counts of a cache that are apart the total may have one',
      usage: {
        ...{ prompt_tokens: 100, completion_tokens: 20, total_tokens: 9_120 },
        ...{ cache_read_input_tokens: 9_000, cache_creation_input_tokens: 50_000 },
      },
      report: {
        ...{ promptTokens: 59_100, completionTokens: 20 },
        ...{ cachedPromptTokens: 9_000, cacheWritePromptTokens: 50_000 },
      },
    },
    {
      rule: 'more tokens of a cache than of the prompt were counted apart, whatever the total says',
      usage: { prompt_tokens: 100, completion_tokens: 20, cached_tokens: 9_000 },
      report: { promptTokens: 9_100, completionTokens: 20, cachedPromptTokens: 9_000 },
    },
    {
      rule: 'reasoning beside a prompt from the cache stays generated',
      usage: {
        ...{ prompt_tokens: 1_000, completion_tokens: 20, total_tokens: 1_500, prompt_cache_hit_tokens: 400 },
        completion_tokens_details: { reasoning_tokens: 480 },
      },
      report: { promptTokens: 1_000, completionTokens: 500, cachedPromptTokens: 400, reasoningTokens: 480 },
    },
    {
      rule: 'a total and a prompt tell the completion',
      usage: { prompt_tokens: 100, total_tokens: 120 },
      report: { promptTokens: 100, completionTokens: 20 },
    },
    {
      rule: 'counts that no call can have are taken for no report',
      usage: { prompt_tokens: 9e15, completion_tokens: 5, total_tokens: 9e15 },
      report: { completionTokens: 5 },
    },
    {
      rule: 'a total below its parts changes nothing',
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 0 },
      report: { promptTokens: 10, completionTokens: 5 },
    },
  ])('$rule', async ({ usage, report }) => {
    upstream.willReply(sendEvents(event({ choices: [], usage }) + STOP));
    await provider.run(callOf(), listener);
    expect(listener.usages).toEqual([report]);
  });

  test.each([
    [{ prompt_tokens: -1, completion_tokens: 1.5, prompt_tokens_details: null }, [{ completionTokens: 2 }]],
    [{ prompt_tokens: 'ten', completion_tokens: ['5'] }, []],
    [{ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }, []],
  ])('keeps only what can be counts: %j', async (usage, reports) => {
    upstream.willReply(sendEvents(STOP + event({ choices: [], usage })));
    await provider.run(callOf(), listener);
    expect(listener.usages).toEqual(reports);
  });

  test('reported before a stream breaks stays reported', async () => {
    upstream.willReply(sendEvents(event({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 1 } })));
    expect((await faultOf(provider.run(callOf(), listener))).kind).toBe('network');
    expect(listener.usages).toEqual([{ promptTokens: 5, completionTokens: 1 }]);
  });
});

describe('deltas', () => {
  test.each([
    ['reasoning_content', 'hm'],
    ['reasoning', 'hm'],
    ['reasoning_details', [{ type: 'reasoning.encrypted', data: 'aG0=' }]],
  ])('%s is a sign of life and no text', async (field, thought) => {
    upstream.willReply(sendEvents(delta({ [field]: thought }).repeat(3) + delta({ content: 'x' }) + STOP));
    await provider.run(callOf(), listener);
    // The first one more: the model has begun.
    expect(listener).toMatchObject({ aliveCount: 4, texts: ['x'] });
  });

  test('without content, with null and with empty content are neither, but the first says that the model has begun', async () => {
    upstream.willReply(
      sendEvents(delta({ role: 'assistant' }) + delta({ content: null }) + delta({ content: '' }) + STOP),
    );
    await provider.run(callOf(), listener);
    expect(listener).toMatchObject({ aliveCount: 1, texts: [] });
  });

  test('of a refusal are text', async () => {
    upstream.willReply(sendEvents(delta({ content: null, refusal: 'I cannot.' }) + STOP));
    await provider.run(callOf(), listener);
    expect(listener.texts).toEqual(['I cannot.']);
  });
});

describe('an error in the stream', () => {
  test.each<[object | string, ModelFaultKind]>([
    [{ message: 'x', code: 429 }, 'rate_limited'],
    [{ message: 'x', code: '502' }, 'server'],
    [{ message: 'x', type: 'tokens', code: 'rate_limit_exceeded' }, 'rate_limited'],
    [{ message: 'x', type: 'overloaded_error' }, 'overloaded'],
    [{ message: 'x', code: 'context_length_exceeded' }, 'context_length'],
    [{ message: 'x', type: 'server_error' }, 'server'],
    [{}, 'server'],
    ['something broke', 'server'],
  ])('%j is %s', async (error, kind) => {
    upstream.willReply(sendEvents(delta({ content: 'half' }) + event({ error })));
    expect((await faultOf(provider.run(callOf(), listener))).kind).toBe(kind);
    expect(listener.texts).toEqual(['half']);
  });

  test('may be told by the name of the event alone', async () => {
    upstream.willReply(sendEvents(`event: error\n${event({ message: 'x', type: 'rate_limit_error' })}`));
    expect((await faultOf(provider.run(callOf(), listener))).kind).toBe('rate_limited');
  });
});

describe('a server that does not stream', () => {
  const usage = { prompt_tokens: 3, completion_tokens: 2 };

  test('has its one completion read: text, usage, finish_reason', async () => {
    const choice = { index: 0, message: { role: 'assistant', content: 'Grüße 👋🏽' }, finish_reason: 'length' };
    upstream.willReply(sendStatus(200, { object: 'chat.completion', choices: [choice], usage }));
    await expect(provider.run(callOf(), listener)).resolves.toBe('length');
    expect(listener.texts).toEqual(['Grüße 👋🏽']);
    expect(listener.usages).toEqual([{ promptTokens: 3, completionTokens: 2 }]);
    // Told of as it came, all of it before it could be read.
    expect(listener.pendingMax).toBe(JSON.stringify({ object: 'chat.completion', choices: [choice], usage }).length);
  });

  test.each<[string, object | string, ModelFaultKind]>([
    ['an error', { error: { message: 'x', code: 503 } }, 'overloaded'],
    ['no choice', { choices: [] }, 'protocol'],
  ])('and answers with %s is a fault', async (_, body, kind) => {
    upstream.willReply(sendStatus(200, body));
    expect((await faultOf(provider.run(callOf(), listener))).kind).toBe(kind);
  });

  test('and answers with half a JSON is a fault that does not quote it', async () => {
    upstream.willReply(sendStatus(200, '{"secret', { 'content-type': 'application/json; charset=utf-8' }));
    const fault = await faultOf(provider.run(callOf(), listener));
    expect(fault.kind).toBe('protocol');
    expect(fault.cause).toBeUndefined();
  });
});
