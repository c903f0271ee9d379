import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import type { LedgerRecord } from '../../src/ledger/ledger-store';
import { openEmbeddedStore } from '../../src/store/embedded/embedded-store';
import { during } from '../support/during';
import { startFakeUpstream, underControl } from '../support/fake-upstream';
import { PROTOCOLS } from '../support/protocols';
import { openRow, rateLimit, reservation } from '../support/store-records';
import { textOfTokens } from '../support/text-of-tokens';
import { until } from '../support/until';
import { DOORS, type RunningServer, startServer } from './servers';

/** A signal to a server with requests under way: the platform sends one before it takes an instance away. */

const CHAT = '/v1/chat/completions';
const PROMPT = [{ role: 'user', content: textOfTokens(100) }];
const RESTARTING = { error: { message: 'The server is restarting', type: 'api_error' } };
const [openai] = PROTOCOLS;

describe.each(DOORS)('a server told to end, through the door of %s,', (_, door) => {
  const upstream = during('each', startFakeUpstream);
  let server: RunningServer;
  beforeEach(async () => {
    server = await startServer({ ...door, env: { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${upstream.url}/v1` } });
  });
  afterEach(async () => {
    await server.kill();
    await rm(server.directory, { recursive: true, force: true });
  });

  const headers = () => ({ authorization: `Bearer ${server.key}`, 'content-type': 'application/json' });
  const post = (path: string, body: object): Promise<Response> =>
    fetch(server.baseUrl + path, { method: 'POST', headers: headers(), body: JSON.stringify(body) });
  const chat = (fields: object = {}): Promise<Response> =>
    post(CHAT, { model: 'vendor-x', messages: PROMPT, ...fields });

  async function recordOf(response: Pick<Response, 'headers'>): Promise<LedgerRecord | undefined> {
    const store = openEmbeddedStore({ directory: server.directory });
    const record = await store.findRecord(response.headers.get('x-request-id') ?? '');
    await store.close();
    return record;
  }

  /** The next call begins to answer with `words`, and says nothing more. */
  async function began(words: string): Promise<void> {
    const { exchange, reply } = underControl();
    upstream.willReply(reply);
    (await exchange).write(openai?.textEvent(words) ?? '');
  }

  it('refuses a stream that has not begun, whose call is aborted', async () => {
    const { exchange, reply } = underControl();
    upstream.willReply(reply);
    const response = chat({ stream: true });
    const { disconnected } = await exchange;
    server.signal('SIGTERM');
    const held = await response;
    expect([held.status, held.headers.get('x-should-retry')]).toEqual([503, 'false']);
    expect(await held.json()).toEqual(RESTARTING);
    await disconnected;
    expect(await server.ended).toEqual({ code: 0, signal: null });
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s ends open streams with a StreamError, writes down what their calls consumed, and exits with 0',
    async (signal) => {
      const writing = began(textOfTokens(10));
      const response = await chat({ stream: true });
      await writing;
      const reader = response.body?.getReader();
      let seen = '';
      const read = async (): Promise<boolean> => {
        const { done, value } = (await reader?.read()) ?? { done: true };
        seen += Buffer.from(value ?? []).toString();
        return !done;
      };
      while (!seen.includes('🍅🍅')) await read();
      server.signal(signal);
      while (await read());
      expect(seen.split('\n\n').slice(-2)).toEqual(['data: {"error":"The server is restarting"}', '']);
      expect(seen).not.toContain('[DONE]');
      expect(await server.ended).toEqual({ code: 0, signal: null });
      // Estimates: 100 and 4 for the turn; the 10 that had come.
      expect(await recordOf(response)).toMatchObject({
        state: 'settled',
        calls: [{ outcome: 'aborted', promptTokens: 104, completionTokens: 10 }],
      });
    },
  );

  it.each([
    [CHAT, { model: 'vendor-x', messages: PROMPT }],
    ['/v1/responses', { model: 'vendor-x', input: 'Why?' }],
    [
      '/v1/evaluations',
      {
        prompt: 'Why?',
        responses: [{ modelId: 'a', modelName: 'A', response: 'Because.' }],
        judge_models: [{ id: 'vendor-x', name: 'X' }],
      },
    ],
  ])('answers what %s has under way with a 503 that SDKs do not repeat', async (path, body) => {
    const writing = began('{"some": "text');
    const replied = post(path, body);
    await writing;
    server.signal('SIGTERM');
    const response = await replied;
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual(RESTARTING);
    expect(response.headers.get('connection')).toBe('close');
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(await recordOf(response)).toMatchObject({ state: 'settled', calls: [{ outcome: 'aborted' }] });
  });

  it('answers a request whose body is still on its way with a 503 that may be repeated', async () => {
    const sent = request(server.baseUrl + CHAT, { method: 'POST', headers: { ...headers(), expect: '100-continue' } });
    sent.on('error', () => undefined);
    const replied = once(sent, 'response') as Promise<[IncomingMessage]>;
    sent.flushHeaders();
    await once(sent, 'continue');
    sent.write('{"model": ');
    await fetch(`${server.baseUrl}/v1/models`, { headers: headers() });
    server.signal('SIGTERM');
    const [response] = await replied;
    expect(response.statusCode).toBe(503);
    expect(JSON.parse(await text(response))).toEqual(RESTARTING);
    expect(response.headers).toMatchObject({ connection: 'close', 'retry-after': '1' });
    expect(response.headers['x-should-retry']).toBeUndefined();
    expect(await server.ended).toEqual({ code: 0, signal: null });
  });

  describe('while a client is slow to read its reply', () => {
    /** A client that reads the beginning of a reply, and the rest only when it is told to. */
    async function slowReader() {
      // One piece of 12 MB, more than the buffers of both sockets hold: once it began it was written as a whole.
      const writing = began('世'.repeat(3_900_000));
      const body = JSON.stringify({ model: 'vendor-x', stream: true, messages: PROMPT });
      const socket = connect(server.port, '127.0.0.1');
      socket.setEncoding('utf8');
      socket.on('error', () => undefined);
      const head = `POST ${CHAT} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.key}\r\n`;
      socket.write(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
      await writing;
      for (let seen = ''; !seen.includes('世'); ) {
        await once(socket, 'readable');
        seen += socket.read() ?? '';
      }
      return { readAll: () => text(socket), leave: () => socket.destroy() };
    }

    const models = (): Promise<Response> => fetch(`${server.baseUrl}/v1/models`, { headers: headers() });

    it('lets nobody else in, and ends once that client has its StreamError', async () => {
      const client = await slowReader();
      server.signal('SIGTERM');
      await until(async () => (await models()).status === 503);
      const response = await models();
      expect(await response.json()).toEqual(RESTARTING);
      expect(response.headers.get('connection')).toBe('close');
      expect(response.headers.get('retry-after')).toBe('1');
      expect(await client.readAll()).toMatch(/data: \{"error":"The server is restarting"\}\n\n\r\n0\r\n\r\n$/);
      expect(await server.ended).toEqual({ code: 0, signal: null });
    });

    it('ends at once when it is told again', async () => {
      const client = await slowReader();
      server.signal('SIGTERM');
      await until(async () => (await models()).status === 503);
      await until(() => server.hasEnded() || !server.signal('SIGINT'));
      expect(await server.ended).toEqual({ code: 130, signal: null });
      client.leave();
    });
  });
});

/** The scheduled functions run in instances of their own, which the platform ends likewise. */
describe('an instance of `sweep` told to end', () => {
  it('finishes the sweep that is under way', async () => {
    const server = await startServer({ target: 'sweep' });
    const db = new DatabaseSync(join(server.directory, 'ensemble.db'));
    try {
      // Opens the store.
      expect((await fetch(server.baseUrl, { method: 'POST' })).status).toBe(200);
      // Every settlement waits for this lock, as it would for a slow database.
      const store = openEmbeddedStore({ directory: server.directory });
      const startedAtMs = Date.now() - 1_000_000;
      const left = reservation('left', { calls: [openRow('c')], startedAtMs, leaseUntilMs: Date.now() - 1 });
      await store.admit(rateLimit(1), [left], startedAtMs);
      db.exec('BEGIN IMMEDIATE');
      const sent = request(server.baseUrl, { method: 'POST', headers: { expect: '100-continue' } });
      const replied = once(sent, 'response') as Promise<[IncomingMessage]>;
      sent.flushHeaders();
      await once(sent, 'continue');
      server.signal('SIGTERM');
      await until(() => server.output().includes('shutting down'));
      db.exec('ROLLBACK');
      expect((await replied)[0].statusCode).toBe(200);
      expect(await server.ended).toEqual({ code: 0, signal: null });
      expect((await store.findRecord('left'))?.state).toBe('swept');
      await store.close();
    } finally {
      db.close();
      await server.kill();
      await rm(server.directory, { recursive: true, force: true });
    }
  });
});
