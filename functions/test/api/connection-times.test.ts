import { once } from 'node:events';
import type { Socket } from 'node:net';
import { createHttpServer } from '../../src/http/http-server';
import { errorBody } from '../support/api-errors';
import { CHAT_PATH, RUN_ENDPOINTS, startApp } from '../support/app';
import { during } from '../support/during';
import { openSocket, ReplyReader, repliesUntilClosed } from '../support/raw-socket';
import { PLAIN } from '../support/scripted-models';
import { whileTimePasses } from '../support/time-passes';
import { until } from '../support/until';

/** Time limits of requests, of idle connections and of slow readers. */

const TIMEOUT = errorBody('Request timeout: the request took too long to arrive');
const MIB = 1024 * 1024;

describe('the times of a connection', () => {
  const app = during('all', () =>
    startApp({
      serverTimes: { headersTimeout: 100, requestTimeout: 300, connectionsCheckingInterval: 10 },
    }),
  );

  const port = (): number => Number(new URL(app.baseUrl).port);
  const head = (...lines: string[]): string =>
    [`POST ${CHAT_PATH} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${app.key}`, ...lines, '', ''].join('\r\n');

  it('are 30 s for a head, 60 s for a request and 65 s for none, as documented', () => {
    expect(createHttpServer(app.container)).toMatchObject({
      headersTimeout: 30_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 65_000,
    });
  });

  it.each([
    ['a client that sends nothing', ''],
    ['half a head', 'POST /v1/chat/comple'],
    ['a head without its last line', 'POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\n'],
  ])('408: %s', async (_, bytes) => {
    const [reply, ...more] = await repliesUntilClosed(port(), bytes);
    expect(reply).toMatchObject({ status: 408, headers: { 'x-request-id': expect.stringMatching(/^[0-9a-f]{32}$/) } });
    expect(JSON.parse(reply?.body ?? '')).toEqual(TIMEOUT);
    expect(more).toEqual([]);
  });

  it.each([
    ['a body', 'Content-Length: 1000', '{"model":'],
    ['a chunk', 'Transfer-Encoding: chunked', '100\r\n{"model":'],
    ['a body that nobody asked for', 'Content-Length: 1000\r\nX: y', ''],
  ])('408: the rest of %s does not come', async (_, framing, part) => {
    const replies = await repliesUntilClosed(port(), head(framing) + part);
    expect(replies.map(({ status }) => status)).toEqual([408]);
    expect(app.models.calls).toEqual([]);
  });

  it.each([
    ['a head', () => head('X-Odd: ').slice(0, -4)],
    ['a body', () => head('Content-Length: 1000000')],
  ])('408: a byte now and then is not enough, in %s', async (_, start) => {
    const socket = await openSocket(port());
    const reader = new ReplyReader();
    const replies: number[] = [];
    socket.on('data', (piece) => replies.push(...reader.read(piece).map(({ status }) => status)));
    socket.write(start());
    const drip = setInterval(() => socket.write(' '), 5);
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(drip);
    expect(replies).toEqual([408]);
  });

  describe('long enough for an honest client on a busy machine', () => {
    const serverTimes = {
      ...{ headersTimeout: 1_000, requestTimeout: 1_000 },
      ...{ keepAliveTimeout: 50, connectionsCheckingInterval: 10 },
    };

    it('a connection without a request is closed', async () => {
      await using patient = await startApp({ serverTimes });
      const { port: own } = new URL(patient.baseUrl);
      const replies = await repliesUntilClosed(Number(own), 'GET /v1/nothing HTTP/1.1\r\nHost: x\r\n\r\n');
      expect(replies.map(({ status }) => status)).toEqual([404]);
    });

    it('but a run may take longer than all of these', async () => {
      await using patient = await startApp({ serverTimes });
      patient.models.play((call) => ({ ...PLAIN(call), delayMs: 10_000 }));
      const reply = patient.chat();
      await until(() => patient.models.calls.length === 1);
      // A connection that was opened later has been given up by now.
      await repliesUntilClosed(Number(new URL(patient.baseUrl).port), '');
      await patient.clock.advance(10_000);
      expect((await reply).status).toBe(200);
    });
  });
});

describe.each(RUN_ENDPOINTS)('POST $path: a client that does not read', ({ path, body }) => {
  it.each([
    { rule: 'a stream', stream: true },
    { rule: 'a stream with its trace', stream: true, ai_ensemble: { models: ['demo-ada'], includeTrace: true } },
    { rule: 'a reply in one piece', stream: false },
  ])('loses its connection after two minutes: $rule', async ({ stream, ai_ensemble }) => {
    await using app = await startApp();
    // More than the buffers of the operating system take.
    app.models.play(() => ({ text: Array(12).fill('x'.repeat(MIB)).join(' ') }));
    const accepted = once(app.server, 'connection') as Promise<[Socket]>;
    const client = await openSocket(Number(new URL(app.baseUrl).port));
    const [connection] = await accepted;
    const json = JSON.stringify({ ...body, stream, ai_ensemble });
    client.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${app.key}\r\nContent-Length: ${json.length}\r\n\r\n${json}`,
    );
    client.pause();
    await whileTimePasses(
      app.clock,
      until(() => connection.writableLength > 0 && connection.writableNeedDrain),
    );
    await app.clock.advance(119_000);
    expect(connection.destroyed).toBe(false);
    await app.clock.advance(1_000);
    expect(connection.destroyed).toBe(true);
    client.destroy();
    // A run that is still writing ends with its client; a whole reply had been handed over.
    await until(() => app.logLines.some((line) => JSON.parse(line).status === (stream ? 499 : 200)));
  });
});
