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
import { createGoogleProvider } from './google';

let upstream: FakeUpstream;
let provider: ModelProvider;
let listener: RecordingListener;

beforeEach(async () => {
  upstream = await startFakeUpstream();
  provider = createGoogleProvider({ apiKey: 'AIza-test', baseUrl: `${upstream.url}/` });
  listener = new RecordingListener();
});

afterEach(() => upstream.close());

function finished(finishReason: string, parts: object[] = []): string {
  return event({ candidates: [{ index: 0, content: { role: 'model', parts }, finishReason }] });
}

describe('the request', () => {
  test('carries images in front of the text of their turn', async () => {
    upstream.willReply(sendEvents(finished('STOP')));
    await provider.run(callOf({ prompt: { turns: [LOOK] } }), listener);
    expect(JSON.parse(upstream.requests[0]?.body ?? '').contents).toEqual([
      {
        role: 'user',
        parts: [
          { inlineData: { mimeType: 'image/png', data: 'cG5n' } },
          { inlineData: { mimeType: 'image/jpeg', data: 'anBn' } },
          { text: 'Look' },
        ],
      },
    ]);
  });

  test('carries key, model, system, turns and sampling', async () => {
    upstream.willReply(sendEvents(finished('STOP')));
    const call = callOf({
      providerModel: 'gemini-x',
      prompt: {
        system: 'Be brief.',
        turns: [
          { role: 'user', text: 'One' },
          { role: 'assistant', text: 'Two' },
          { role: 'user', text: 'Three' },
        ],
      },
      sampling: { temperature: 1.7, topP: 0.5 },
      maxOutputTokens: 99,
    });
    await provider.run(call, listener);
    const [request] = upstream.requests;
    expect(request).toMatchObject({
      method: 'POST',
      path: '/v1beta/models/gemini-x:streamGenerateContent?alt=sse',
    });
    expect(request?.headers['x-goog-api-key']).toBe('AIza-test');
    const body = JSON.parse(request?.body ?? '');
    expect(body.contents).toEqual([
      { role: 'user', parts: [{ text: 'One' }] },
      { role: 'model', parts: [{ text: 'Two' }] },
      { role: 'user', parts: [{ text: 'Three' }] },
    ]);
    expect(body.systemInstruction).toEqual({ role: 'system', parts: [{ text: 'Be brief.' }] });
    expect(body.generationConfig).toEqual({ temperature: 1.7, topP: 0.5 });
  });

  test.each(['../v1/x', 'gemini/../../x', 'gemini..x', 'gemini-x:countTokens?', 'gemini x', ''])(
    'is not sent for a model name that would change the URL: %j',
    async (providerModel) => {
      expect((await faultOf(provider.run(callOf({ providerModel }), listener))).kind).toBe('not_found');
      expect(upstream.requests).toHaveLength(0);
    },
  );
});

describe('usage', () => {
  test('is reported with each chunk, gross: thoughts are part of the completion', async () => {
    upstream.willReply(sendEvents(fixture('google.chunks.txt')));
    await provider.run(callOf(), listener);
    const prompt = { promptTokens: 1200, cachedPromptTokens: 1024 };
    expect(listener.usages).toEqual([
      { ...prompt, completionTokens: 60, reasoningTokens: 60 },
      { ...prompt, completionTokens: 324, reasoningTokens: 320 },
      { ...prompt, completionTokens: 332, reasoningTokens: 320 },
      { ...prompt, completionTokens: 340, reasoningTokens: 320 },
    ]);
  });

  test('keeps what earlier chunks counted and later ones leave out; tools’ prompts are part of the prompt', async () => {
    const first = { promptTokenCount: 20, toolUsePromptTokenCount: 5, thoughtsTokenCount: 400 };
    upstream.willReply(
      sendEvents(
        event({ usageMetadata: first }) +
          event({ usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 198 } }) +
          finished('STOP'),
      ),
    );
    await provider.run(callOf(), listener);
    expect(listener.usages.at(-1)).toEqual({ promptTokens: 25, completionTokens: 598, reasoningTokens: 400 });
  });

  test('of the prompt alone says nothing about the completion', async () => {
    upstream.willReply(sendEvents(event({ usageMetadata: { promptTokenCount: 7 } }) + finished('STOP')));
    await provider.run(callOf(), listener);
    expect(listener.usages).toEqual([{ promptTokens: 7 }]);
  });
});

describe('chunks', () => {
  test('thoughts are a sign of life and no text', async () => {
    const parts = [{ text: 'hm', thought: true }, { text: 'a' }, { functionCall: {} }, { text: 'b' }];
    upstream.willReply(sendEvents(finished('STOP', parts)));
    await provider.run(callOf(), listener);
    expect(listener).toMatchObject({ aliveCount: 1, texts: ['ab'] });
  });

  test('thoughts that are only counted are a sign of life while there are more of them', async () => {
    const thought = (thoughtsTokenCount: number) =>
      event({ usageMetadata: { promptTokenCount: 7, thoughtsTokenCount } });
    upstream.willReply(sendEvents(thought(10) + thought(10) + thought(25) + finished('STOP')));
    await provider.run(callOf(), listener);
    expect(listener.aliveCount).toBe(2);
  });

  test('a blocked prompt is a content_filter fault; its usage was reported', async () => {
    const blocked = { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 7 } };
    upstream.willReply(sendEvents(event(blocked)));
    expect((await faultOf(provider.run(callOf(), listener))).kind).toBe('content_filter');
    expect(listener.usages).toEqual([{ promptTokens: 7 }]);
  });
});

describe('a failure', () => {
  const retryInfo = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' };
  const keyInvalid = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' };

  test.each<[number, object[], ModelFaultKind, number | undefined]>([
    [429, [retryInfo], 'rate_limited', 34.5],
    [429, [{ ...retryInfo, retryDelay: 'soon' }], 'rate_limited', undefined],
    [400, [keyInvalid], 'unauthorized', undefined],
  ])('%i with details %j is %s, to be retried after %p seconds', async (status, details, kind, seconds) => {
    upstream.willReply(sendStatus(status, { error: { code: status, message: 'x', details } }));
    const fault = await faultOf(provider.run(callOf(), listener));
    expect(fault).toMatchObject({ kind, retryAfterSeconds: seconds });
  });
});
