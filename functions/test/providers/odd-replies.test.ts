import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import zlib from 'node:zlib';
import type { FinishReason, ReportedUsage } from '../../src/models/model';
import { during } from '../support/during';
import { event, type Reply, sendEvents, startFakeUpstream, underControl } from '../support/fake-upstream';
import { FIXTURE_TEXTS, fixture, PROTOCOLS } from '../support/protocols';
import { callOf, faultOf, RecordingListener } from '../support/provider-calls';

/** Replies as servers send them that are compatible in their own way: a reply is read whole, or not taken for whole. */

const upstream = during('each', startFakeUpstream);
let listener: RecordingListener;

beforeEach(() => {
  listener = new RecordingListener();
});

const WHOLE_TEXT = FIXTURE_TEXTS.join('');
/** Counts of the recorded replies. */
const USAGE: ReportedUsage = {
  promptTokens: 1_200,
  completionTokens: 340,
  cachedPromptTokens: 1_024,
  reasoningTokens: 320,
};

function protocolOf(file: string) {
  const found = PROTOCOLS.find(({ name }) => file.startsWith(name));
  if (!found) throw new Error(`no protocol for ${file}`);
  return found;
}

/** A body under headers of the test's own. */
function send(body: string | Uint8Array, headers: Readonly<Record<string, string>>): Reply {
  return (exchange) => {
    exchange.begin(200, headers);
    exchange.write(body);
    exchange.end();
  };
}

describe.each(readdirSync(join(__dirname, 'fixtures', 'odd')))('the recorded reply %s', (file) => {
  const protocol = protocolOf(file);
  const body = fixture(`odd/${file}`);

  test.each([
    'text/event-stream',
    'application/json',
    'Application/JSON; charset=utf-8',
    'text/plain',
    'application/octet-stream',
  ])('is read whole when it is labelled %s', async (contentType) => {
    upstream.willReply(send(body, { 'content-type': contentType }));
    await expect(protocol.create(upstream.url).run(callOf(), listener)).resolves.toBe('stop');
    expect(listener.texts.join('')).toBe(WHOLE_TEXT);
    expect(listener.usages.at(-1)).toMatchObject(USAGE);
  });
});

const CODED: readonly (readonly [coding: string, encode: (text: string) => Uint8Array])[] = [
  ['gzip', zlib.gzipSync],
  ['x-gzip', zlib.gzipSync],
  ['GZIP', zlib.gzipSync],
  ['deflate', zlib.deflateSync],
  ['deflate', zlib.deflateRawSync],
  ['br', zlib.brotliCompressSync],
  ['zstd', zlib.zstdCompressSync],
  ['gzip', (text) => Buffer.from(text)],
  ['zstd', (text) => Buffer.from(text)],
  ['identity', (text) => Buffer.from(text)],
];

describe.each(PROTOCOLS)('$name', (protocol) => {
  const run = () => protocol.create(upstream.url).run(callOf(), listener);
  const frames = protocol.events
    .trimEnd()
    .split('\n\n')
    .filter((frame) => !frame.startsWith(':'));

  test.each(CODED)('a reply under content-encoding %s is decoded', async (coding, encode) => {
    const headers = { 'content-type': 'text/event-stream', 'content-encoding': coding };
    upstream.willReply(send(encode(protocol.events), headers));
    await expect(run()).resolves.toBe('stop');
    expect(listener.texts).toEqual(FIXTURE_TEXTS);
    expect(upstream.requests[0]?.headers['accept-encoding']).toBe('identity');
  });

  test('a coded reply that is cut off is a network fault, with what came before', async () => {
    const coded = zlib.gzipSync(protocol.textEvent('half') + protocol.textEvent('x'.repeat(100_000)));
    upstream.willReply(send(coded.subarray(0, coded.length - 40), { 'content-encoding': 'gzip' }));
    expect((await faultOf(run())).kind).toBe('network');
    expect(listener.texts[0]).toBe('half');
  });

  test('a coded reply that grows without end is too long', async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(80 * 1024 * 1024, ': hm\n'));
    upstream.willReply(send(bomb, { 'content-encoding': 'gzip' }));
    expect((await faultOf(run())).kind).toBe('output_too_long');
  });

  test.each(['data: ping\n\n', 'data: : x\n\n', 'data: \n\n', ': hm\n\n', 'event: ping\ndata: 1\n\n'])(
    'the note %j is passed over wherever it stands',
    async (note) => {
      upstream.willReply(sendEvents(`\ufeff${frames.map((frame) => `${note}${frame}\n\n`).join('')}${note}`));
      await expect(run()).resolves.toBe('stop');
      expect(listener.texts).toEqual(FIXTURE_TEXTS);
    },
  );

  test.each(['data: [DONE] \n\n', 'data:  [DONE]\n\n', 'data: [DONE]\t\n\n'])(
    '%j is a mark of the end',
    async (mark) => {
      upstream.willReply(sendEvents(protocol.events.replace('data: [DONE]\n\n', '') + mark));
      await expect(run()).resolves.toBe('stop');
    },
  );

  test('a reply without a reason is not known to be whole, whatever mark ends it', async () => {
    upstream.willReply(sendEvents(`${protocol.textEvent('half')}data: [DONE]\n\n`));
    await expect(run()).resolves.toBe('unknown');
  });

  test('a reply that has told its reason is whole, though its connection breaks behind it', async () => {
    const { exchange, reply } = underControl();
    upstream.willReply(reply);
    const running = run();
    const written = Promise.withResolvers<void>();
    listener.usage = () => written.resolve();
    // The last frame of all but Google's tells nothing more.
    const told = protocol.name === 'google' ? frames : frames.slice(0, -1);
    (await exchange).write(`${told.join('\n\n')}\n\n`);
    await written.promise;
    await new Promise(setImmediate);
    (await exchange).cut();
    await expect(running).resolves.toBe('stop');
    expect(listener.texts).toEqual(FIXTURE_TEXTS);
  });

  test('an error in words alone is a fault', async () => {
    upstream.willReply(sendEvents(`${protocol.textEvent('half')}event: error\ndata: upstream is gone\n\n`));
    expect((await faultOf(run())).kind).toBe('server');
  });

  test('a body in JSON that is no reply is a protocol fault', async () => {
    upstream.willReply(send('{"status":"ok"}', { 'content-type': 'application/json' }));
    expect((await faultOf(run())).kind).toBe('protocol');
  });

  const withFirstText = (value: string) => protocol.events.replaceAll(JSON.stringify(FIXTURE_TEXTS[0]), value);

  test('a text that comes as a number is read', async () => {
    upstream.willReply(sendEvents(withFirstText('42')));
    await expect(run()).resolves.toBe('stop');
    expect(listener.texts).toEqual(['42', ...FIXTURE_TEXTS.slice(1)]);
  });

  test.each(['{"image":"x"}', 'true'])('a text that comes as %s is refused, never dropped', async (value) => {
    upstream.willReply(sendEvents(withFirstText(value)));
    expect((await faultOf(run())).kind).toBe('protocol');
  });
});

/** The reasons of endings as servers tell them, by the place of their word in a stream of each protocol. */
const ENDING = {
  openai: (word: string) => event({ choices: [{ index: 0, delta: {}, finish_reason: word }] }),
  anthropic: (word: string) => event({ type: 'message_delta', delta: { stop_reason: word } }),
  google: (word: string) => event({ candidates: [{ index: 0, finishReason: word }] }),
} as const;

const ENDINGS: Readonly<Record<keyof typeof ENDING, Partial<Record<FinishReason, readonly string[]>>>> = {
  openai: {
    stop: ['stop', 'STOP', 'tool_calls', 'function_call', 'eos', 'eos_token', 'stop_sequence', 'COMPLETE', 'end_turn'],
    length: ['length', 'max_tokens', 'MAX_TOKENS', 'model_length', 'max_output_tokens'],
    context_window: ['model_context_window_exceeded', 'context_length_exceeded'],
    content_filter: ['content_filter', 'sensitive', 'SAFETY', 'refusal'],
    failed: ['error', 'network_error', 'abort', 'insufficient_system_resource', 'ERROR'],
    unknown: ['x', 'paused', 'unknown', `stop${'x'.repeat(100_000)}`, 'constructor'],
  },
  anthropic: {
    stop: ['end_turn', 'stop_sequence', 'tool_use'],
    length: ['max_tokens', 'pause_turn'],
    context_window: ['model_context_window_exceeded'],
    content_filter: ['refusal'],
    failed: ['error'],
    unknown: ['compaction', 'x'],
  },
  google: {
    stop: ['STOP'],
    length: ['MAX_TOKENS'],
    content_filter: ['SAFETY', 'RECITATION', 'LANGUAGE', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'IMAGE_SAFETY'],
    failed: ['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL'],
    unknown: ['OTHER', 'FINISH_REASON_UNSPECIFIED', 'tool_calls', 'X'],
  },
};
const ROWS = PROTOCOLS.flatMap((protocol) =>
  Object.entries(ENDINGS[protocol.name]).flatMap(([reason, words]) =>
    words.map((word) => ({ protocol, name: protocol.name, reason, word, shown: word.slice(0, 40) })),
  ),
);

test.each(ROWS)('regression: the ending $shown of $name means $reason', async ({ protocol, word, reason }) => {
  upstream.willReply(sendEvents(protocol.textEvent('A text') + ENDING[protocol.name](word)));
  await expect(protocol.create(upstream.url).run(callOf(), listener)).resolves.toBe(reason);
  expect(listener.texts).toEqual(['A text']);
});
