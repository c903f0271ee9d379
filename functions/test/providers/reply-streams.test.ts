import type { ModelProvider, ReportedUsage } from '../../src/models/model';
import type { Reasoning } from '../../src/models/reasoning';
import { during } from '../support/during';
import { event, sendBytewise, sendEvents, sendStatus, startFakeUpstream, underControl } from '../support/fake-upstream';
import { FIXTURE_TEXTS, fixture, PROTOCOLS, type Protocol, withCrlf } from '../support/protocols';
import { callOf, faultOf, RecordingListener } from '../support/provider-calls';

const upstream = during('each', startFakeUpstream);
let listener: RecordingListener;

beforeEach(() => {
  listener = new RecordingListener();
});

describe.each(PROTOCOLS)('$name', (protocol) => {
  let provider: ModelProvider;

  beforeEach(() => {
    provider = protocol.create(upstream.url);
  });

  test.each([
    ['at once', sendEvents(protocol.events)],
    ['a byte at a time', sendBytewise(protocol.events)],
    ['a byte at a time with CRLF', sendBytewise(withCrlf(protocol.events))],
    ['behind comments and unknown events', sendEvents(`: hi\n\nevent: n\ndata: {"type":"n"}\n\n${protocol.events}`)],
  ])('text arrives piece by piece, in order and unchanged: sent %s', async (_, reply) => {
    upstream.willReply(reply);
    await expect(provider.run(callOf(), listener)).resolves.toBe('stop');
    expect(listener.texts).toEqual(FIXTURE_TEXTS);
  });

  test('text is not passed on while the listener is busy, and none is lost', async () => {
    const busy = Promise.withResolvers<void>();
    const first = Promise.withResolvers<void>();
    listener.text = (delta) => {
      listener.texts.push(delta);
      first.resolve();
      return listener.texts.length === 1 ? busy.promise : undefined;
    };
    upstream.willReply(sendEvents(protocol.textEvent('one ') + protocol.textEvent('two ') + protocol.events));
    const run = provider.run(callOf(), listener);
    await first.promise;
    // All events came in one piece, so whatever does not wait is handed over in this very turn of the event loop.
    await new Promise(setImmediate);
    expect(listener.texts).toEqual(['one ']);
    busy.resolve();
    await run;
    expect(listener.texts).toEqual(['one ', 'two ', ...FIXTURE_TEXTS]);
  });

  test.each([
    ['ends early', protocol.textEvent('half'), 'network'],
    ['ends in the middle of an event', protocol.textEvent('half') + protocol.textEvent('cut').slice(0, -8), 'network'],
    ['reports an error', protocol.textEvent('half') + protocol.overloadedEvent, 'overloaded'],
  ])('a stream that %s is a fault; the text so far was passed on', async (_, events, kind) => {
    upstream.willReply(sendEvents(events));
    const fault = await faultOf(provider.run(callOf(), listener));
    expect(fault.kind).toBe(kind);
    expect(fault.message).not.toContain('secret');
    expect(listener.texts).toEqual(['half']);
  });

  test.each([
    ['an event that is not JSON', 'data: {"choices": [oops\n\n', undefined],
    ['a listener that throws', protocol.textEvent('x'), new Error('listener broke')],
  ])('%s ends in a fault, and the connection is closed', async (_, events, thrown) => {
    const { exchange, reply } = underControl();
    upstream.willReply(reply);
    listener.text = () => {
      throw thrown;
    };
    const run = faultOf(provider.run(callOf(), listener));
    (await exchange).write(events);
    const { kind, cause } = await run;
    expect([kind, cause]).toEqual(['protocol', thrown]);
    await (await exchange).disconnected;
  });
});

describe.each(PROTOCOLS.filter(({ name }) => name !== 'google'))('$name', (protocol) => {
  test('calls one after the other share one connection', async () => {
    const provider = protocol.create(upstream.url);
    upstream.willReply(sendEvents(protocol.events), sendEvents(protocol.events));
    await provider.run(callOf(), listener);
    await provider.run(callOf(), listener);
    expect(upstream.connections).toBe(1);
  });

  test('is finished by its last event, also when the server keeps the response open', async () => {
    const { exchange, reply } = underControl();
    upstream.willReply(reply);
    const run = protocol.create(upstream.url).run(callOf(), listener);
    (await exchange).write(protocol.events);
    await expect(run).resolves.toBe('stop');
    await (await exchange).disconnected;
  });
});

const delta = (fields: object, finish_reason: string | null = null): string =>
  event({ choices: [{ index: 0, delta: fields, finish_reason }] });
const claude = (fields: Readonly<Record<string, unknown>>): string => `event: ${fields['type']}\n${event(fields)}`;
const gemini = (parts: object[], more: object = {}): string =>
  event({ candidates: [{ index: 0, content: { role: 'model', parts } }], ...more });
const counted = (usageMetadata: object): string => event({ usageMetadata });
const OPENAI_STOP = delta({}, 'stop');
const ANTHROPIC_STOP = claude({ type: 'message_stop' });
const GOOGLE_STOP = event({ candidates: [{ index: 0, finishReason: 'STOP' }] });
const FULL = { promptTokens: 1200, cachedPromptTokens: 1024 };

interface Heard {
  readonly says: string;
  readonly name: Protocol['name'];
  readonly events: string;
  readonly texts?: readonly string[];
  /** Signs of life that are no text. */
  readonly alive?: number;
  readonly usages?: readonly ReportedUsage[];
  readonly thoughts?: readonly Reasoning[];
}

const HEARD: readonly Heard[] = [
  ...[
    { reasoning_content: 'hm' },
    { reasoning: 'hm' },
    { reasoning_details: [{ type: 'reasoning.encrypted', data: 'aG0=' }] },
  ].map((thought) => ({
    says: `thoughts as ${Object.keys(thought)}: a sign of life each, and the first one more, as the model has begun`,
    ...{ name: 'openai' as const, texts: ['x'], alive: 4, thoughts: [thought, thought, thought] },
    events: delta(thought).repeat(3) + delta({ content: 'x' }) + OPENAI_STOP,
  })),
  {
    says: 'deltas without content: the first says that the model has begun',
    ...{ name: 'openai', texts: [], alive: 1 },
    events: delta({ role: 'assistant' }) + delta({ content: null }) + delta({ content: '' }) + OPENAI_STOP,
  },
  {
    says: 'a refusal, which is text',
    ...{ name: 'openai', texts: ['I cannot.'] },
    events: delta({ content: null, refusal: 'I cannot.' }) + OPENAI_STOP,
  },
  {
    says: 'thoughts in its text, which are not heard, and counts with theirs',
    name: 'openai',
    events:
      ['<th', 'ink>Is it 41?', ' No.</thi', 'nk>\n\n', '42'].map((content) => delta({ content })).join('') +
      OPENAI_STOP +
      event({
        choices: [],
        usage: { prompt_tokens: 5, completion_tokens: 30, completion_tokens_details: { reasoning_tokens: 29 } },
      }),
    texts: ['42'],
    usages: [{ promptTokens: 5, completionTokens: 30, reasoningTokens: 29 }],
  },
  {
    says: 'usage in the chunk without choices',
    ...{ name: 'openai', events: fixture('openai.chunks.txt') },
    usages: [{ ...FULL, completionTokens: 340, reasoningTokens: 320 }],
  },
  {
    says: 'a ping, which is no sign of life',
    ...{ name: 'anthropic', events: claude({ type: 'ping' }) + ANTHROPIC_STOP, alive: 0 },
  },
  {
    // The start of the message, two blocks' starts and ends, one thinking_delta and one signature_delta.
    says: 'usage that is gross, and each step and thought, a sign of life',
    ...{ name: 'anthropic', events: fixture('anthropic.chunks.txt'), texts: FIXTURE_TEXTS, alive: 7 },
    thoughts: [{ reasoning_content: 'They greet the world.' }],
    usages: [
      { ...FULL, cacheWritePromptTokens: 76, completionTokens: 2 },
      { ...FULL, cacheWritePromptTokens: 76, completionTokens: 340, reasoningTokens: 320 },
    ],
  },
  {
    says: 'usage of the prompt that is corrected at the end',
    name: 'anthropic',
    events:
      claude({ type: 'message_start', message: { usage: { input_tokens: 10, output_tokens: 1 } } }) +
      claude({ type: 'message_delta', delta: {}, usage: { input_tokens: 50, output_tokens: 9 } }) +
      ANTHROPIC_STOP,
    usages: [
      { promptTokens: 10, completionTokens: 1 },
      { promptTokens: 50, completionTokens: 9 },
    ],
  },
  {
    says: 'usage with each chunk, gross: thoughts are part of the completion',
    ...{ name: 'google', events: fixture('google.chunks.txt') },
    usages: [
      { ...FULL, completionTokens: 60, reasoningTokens: 60 },
      ...[324, 332, 340].map((completionTokens) => ({ ...FULL, completionTokens, reasoningTokens: 320 })),
    ],
  },
  {
    says: 'counts that later chunks leave out; tools’ prompts are part of the prompt',
    name: 'google',
    events:
      counted({ promptTokenCount: 20, toolUsePromptTokenCount: 5, thoughtsTokenCount: 400 }) +
      counted({ promptTokenCount: 20, candidatesTokenCount: 198 }) +
      GOOGLE_STOP,
    usages: [
      { promptTokens: 25, completionTokens: 400, reasoningTokens: 400 },
      { promptTokens: 25, completionTokens: 598, reasoningTokens: 400 },
    ],
  },
  {
    says: 'usage of the prompt alone',
    ...{ name: 'google', events: counted({ promptTokenCount: 7 }) + GOOGLE_STOP, usages: [{ promptTokens: 7 }] },
  },
  {
    says: 'thoughts between its text',
    ...{ name: 'google', texts: ['ab'], alive: 1, thoughts: [{ reasoning_content: 'hm' }] },
    events: gemini([{ text: 'hm', thought: true }, { text: 'a' }, { functionCall: {} }, { text: 'b' }]) + GOOGLE_STOP,
  },
  {
    says: 'thoughts that are only counted, a sign of life while there are more of them',
    ...{ name: 'google', alive: 2 },
    events: [10, 10, 25].map((thoughtsTokenCount) => counted({ thoughtsTokenCount })).join('') + GOOGLE_STOP,
  },
];

function protocolNamed(name: Protocol['name']): ModelProvider {
  const protocol = PROTOCOLS.find((each) => each.name === name);
  if (!protocol) throw new Error(`no protocol ${name}`);
  return protocol.create(upstream.url);
}

test.each(HEARD)('$name says $says', async ({ name, events, texts, alive, usages, thoughts }) => {
  upstream.willReply(sendEvents(events));
  await protocolNamed(name).run(callOf(), listener);
  if (texts) expect(listener.texts).toEqual(texts);
  if (alive !== undefined) expect(listener.aliveCount).toBe(alive);
  if (usages) expect(listener.usages).toEqual(usages);
  if (thoughts) expect(listener.thoughts).toEqual(thoughts);
});

test('of thoughts that were not opened and never end, a reply is its text after all, at its end', async () => {
  upstream.willReply(sendEvents(delta({ content: 'It is 42.' }) + OPENAI_STOP));
  await protocolNamed('openai').run(callOf({ thoughtsUnopened: true }), listener);
  expect(listener.texts).toEqual(['It is 42.']);
});

test.each([
  ['openai', event({ choices: [], usage: { prompt_tokens: 7 } }), 'network'],
  [
    'google',
    gemini([], { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 7 } }),
    'content_filter',
  ],
  ['openai', `event: error\n${event({ message: 'x', type: 'rate_limit_error' })}`, 'rate_limited'],
] as const)('%s: the stream %j is the fault %s, and usage that came stays reported', async (name, events, kind) => {
  upstream.willReply(sendEvents(events));
  expect((await faultOf(protocolNamed(name).run(callOf(), listener))).kind).toBe(kind);
  if (events.includes('7')) expect(listener.usages).toEqual([{ promptTokens: 7 }]);
});

describe('a server that does not stream', () => {
  const run = () => protocolNamed('openai').run(callOf(), listener);

  test('has its one completion read: text, usage, finish_reason', async () => {
    const message = { role: 'assistant', content: 'Grüße 👋🏽' };
    const usage = { prompt_tokens: 3, completion_tokens: 2 };
    const body = { choices: [{ index: 0, message, finish_reason: 'length' }], usage };
    upstream.willReply(sendStatus(200, body));
    await expect(run()).resolves.toBe('length');
    expect([listener.texts, listener.usages]).toEqual([['Grüße 👋🏽'], [{ promptTokens: 3, completionTokens: 2 }]]);
    // Told of as it came, all of it before it could be read.
    expect(listener.pendingMax).toBe(JSON.stringify(body).length);
  });

  test.each([
    ['an error', { error: { message: 'x', code: 503 } }, 'overloaded'],
    ['no choice', { choices: [] }, 'protocol'],
    ['half a JSON', '{"secret', 'protocol'],
  ])('and answers with %s is a fault that does not quote it', async (_, body, kind) => {
    upstream.willReply(sendStatus(200, body));
    const fault = await faultOf(run());
    expect(fault.kind).toBe(kind);
    expect(String(fault.cause)).not.toContain('secret');
  });
});
