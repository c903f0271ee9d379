import { gzipSync } from 'node:zlib';
import OpenAI from 'openai';
import { sendRaw } from '../support/raw-http';
import { readStream } from '../support/wire';
import { type FunctionServer, startFunctionServer } from './function-server';

/** The bundle under the real Functions Framework: what differs from the app alone is its body parsing and its server. */

const CHAT = { model: 'demo-ada', messages: [{ role: 'user', content: 'Is a tomato a fruit?' }] };
const CHAT_PATH = '/v1/chat/completions';
const MIB = 1024 * 1024;

describe('the function on the Functions Framework', () => {
  let server: FunctionServer;
  let peakBeforeBodiesMib = 0;

  beforeAll(async () => {
    server = await startFunctionServer();
  });
  afterAll(() => server.stop());

  const post = (body: Buffer | string | readonly Buffer[], headers: Record<string, string> = {}, path = CHAT_PATH) =>
    sendRaw(server.baseUrl, {
      method: 'POST',
      path,
      headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json', ...headers },
      body: [body].flat().map((piece) => Buffer.from(piece)),
    });

  it('answers a chat completion', async () => {
    const reply = await post(JSON.stringify(CHAT));
    expect(reply.status).toBe(200);
    expect(JSON.parse(reply.text).choices[0].message.content).toContain('tomato');
  });

  it('streams to [DONE]', async () => {
    const response = await fetch(`${server.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.key}` },
      body: JSON.stringify({ ...CHAT, stream: true }),
    });
    const stream = await readStream(response);
    expect(stream.done).toBe(true);
    expect(stream.content).toContain('tomato');
  });

  it('works with the official client', async () => {
    const client = new OpenAI({ baseURL: `${server.baseUrl}/v1`, apiKey: server.key, maxRetries: 0 });
    const completion = await client.chat.completions.create({
      model: 'ensemble',
      messages: [{ role: 'user', content: 'Why?' }],
    });
    expect(completion.choices[0]?.message.content).toContain('Why?');
  });

  it('answers in less than 115 MiB', () => {
    peakBeforeBodiesMib = server.peakMemoryMib();
    expect(peakBeforeBodiesMib).toBeLessThan(115);
  });

  it.each([
    ['malformed JSON', '{"model": ', {}, 400, 'Invalid JSON: the body could not be parsed'],
    ['a bare null', 'null', {}, 400, 'Invalid request body: must be a JSON object'],
    ['an array', '[]', {}, 400, 'Invalid request body: must be a JSON object'],
    ['an empty body', '', {}, 400, 'Invalid JSON: the body is empty'],
    [
      'bytes that are no UTF-8',
      Buffer.from([0x22, 0xff, 0xfe, 0x22]),
      {},
      400,
      'Invalid JSON: the body could not be parsed',
    ],
    [
      'an unknown charset',
      JSON.stringify({}),
      { 'content-type': 'application/json; charset=nonsense' },
      400,
      'Invalid model',
    ],
    ['a body 5 MiB long', Buffer.alloc(5 * MIB, ' '), {}, 413, 'Request body too large'],
    [
      'a body 5 MiB long in chunks',
      Array.from({ length: 80 }, () => Buffer.alloc(MIB / 16, ' ')),
      {},
      413,
      'Request body too large',
    ],
    [
      'a gzip bomb',
      gzipSync(Buffer.alloc(200 * MIB)),
      { 'content-encoding': 'gzip' },
      415,
      'Unsupported content encoding',
    ],
    ['an unknown encoding', 'x', { 'content-encoding': 'br' }, 415, 'Unsupported content encoding'],
  ] as const)('refuses %s in the documented error shape', async (_, body, headers, status, message) => {
    const reply = await post(body as Buffer, headers);
    expect(reply).toMatchObject({ status, headers: { 'content-type': 'application/json; charset=utf-8' } });
    expect(JSON.parse(reply.text)).toEqual({
      error: { message: expect.stringContaining(message), type: 'invalid_request_error' },
    });
  });

  it('refuses a bomb without a valid key before looking at it', async () => {
    const reply = await post(gzipSync(Buffer.alloc(50 * MIB)), {
      'content-encoding': 'gzip',
      authorization: 'Bearer sk-ens_no',
    });
    expect(reply.status).toBe(401);
  });

  it.each([
    '/%E0%A4%A',
    '/v1/nope',
    '//',
    '/v1/chat/completions/more',
    '/robots.txt',
    '/favicon.ico',
    '*',
    'http://[bad/x',
  ])('answers POST %s with a JSON 404', async (path) => {
    const reply = await post('{}', {}, path);
    expect(reply.status).toBe(404);
    expect(JSON.parse(reply.text).error.type).toBe('invalid_request_error');
  });

  it.each(['/', '/health'])('answers GET %s without a key', async (path) => {
    const reply = await sendRaw(server.baseUrl, { method: 'GET', path });
    expect([reply.status, typeof JSON.parse(reply.text)]).toEqual([200, 'object']);
  });

  it('accepts a body sent in chunks and with Expect: 100-continue', async () => {
    const text = JSON.stringify(CHAT);
    const pieces = [Buffer.from(text.slice(0, 20)), Buffer.from(text.slice(20))];
    expect((await post(pieces)).status).toBe(200);
    expect((await post(text, { expect: '100-continue' })).status).toBe(200);
  });

  it('accepts a body of just under 4 MiB', async () => {
    const padded = JSON.stringify({ ...CHAT, padding: 'x'.repeat(4 * MIB - 200) });
    expect((await post(padded)).status).toBe(200);
  });

  // The bomb alone would take 200 MiB. V8 gives back what bodies left behind once that comes to 64 MiB, not before.
  it('takes less than 64 MiB more for all of that, hostile bodies included', () => {
    expect(server.peakMemoryMib() - peakBeforeBodiesMib).toBeLessThan(64);
  });

  it('refuses a million bad messages before they are parsed, which took 1.3 GB', async () => {
    const reply = await post(`{"model":"demo-ada","messages":[${'{},'.repeat(1_200_000)}{}]}`);
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.text).error.message).toBe('Invalid JSON: more than 30,000 values');
    expect(server.peakMemoryMib()).toBeLessThan(200);
  });

  it('logs one JSON line a request and never a key or a prompt', () => {
    const lines = server.output().trim().split('\n');
    expect(lines.length).toBeGreaterThan(10);
    for (const line of lines)
      expect(JSON.parse(line)).toMatchObject({ severity: expect.any(String), requestId: expect.any(String) });
    expect(server.output()).not.toContain(server.key);
    expect(server.output()).not.toContain('tomato');
  });
});
