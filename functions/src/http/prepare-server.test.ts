import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { fakeClock } from '../../test/support/fake-clock';
import { openSocket, ReplyReader, type SocketReply } from '../../test/support/raw-socket';
import { serve } from '../../test/support/serve';
import { until } from '../../test/support/until';
import { createLog } from '../lib/log';
import { prepareServer, type ServerTimes } from './prepare-server';

type Answer = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>;

const LINGER_MS = 2_000;

async function startScene({
  answer = (_, res) => void res.end('fine'),
  times = {} as Partial<ServerTimes>,
}: {
  answer?: Answer;
  times?: Partial<ServerTimes>;
} = {}) {
  const clock = fakeClock();
  const lines: Record<string, unknown>[] = [];
  const log = createLog('debug', (line) => lines.push(JSON.parse(line)));
  const served = await serve(answer, (server) => prepareServer(server, { clock, log }, times));
  /** Sends bytes; the replies that come, and whether the server has closed the connection. */
  const open = async (bytes: string) => {
    const socket = await openSocket(served.port);
    const reader = new ReplyReader();
    const came = { replies: [] as SocketReply[], text: '', closed: false, ended: false, socket };
    socket.on('data', (piece) => {
      came.text += piece.toString();
      came.replies.push(...reader.read(piece));
    });
    socket.once('end', () => {
      came.ended = true;
    });
    socket.once('close', () => {
      came.closed = true;
    });
    socket.write(bytes);
    return came;
  };
  return { ...served, clock, lines, open };
}

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const error = (message: string) => ({ error: { message, type: 'invalid_request_error' } });

describe('the times of a server', () => {
  it('are 30 s for a head, 60 s for a request and 65 s for none, looked at every 5 s', () => {
    const server = createServer();
    prepareServer(server, { clock: fakeClock(), log: createLog('silent') });
    expect(server).toMatchObject({
      headersTimeout: 30_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 5_000,
    });
  });

  it('end a head that does not come: 408', async () => {
    const scene = await startScene({ times: { headMs: 50, requestMs: 100, checkEveryMs: 10 } });
    const { replies } = await scene.open('POST / HT');
    await until(() => replies.length === 1);
    const [reply] = replies;
    expect([reply?.status, JSON.parse(reply?.body ?? '')]).toEqual([
      408,
      error('Request timeout: the request took too long to arrive'),
    ]);
  });
});

describe('what the parser refuses', () => {
  it.each([
    ['no HTTP', 'hello\r\n\r\n', 400, 'Invalid HTTP: the request could not be parsed', 'HPE_INVALID_METHOD'],
    [
      'a head of more than 16 KiB',
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`,
      431,
      'Request headers too large: at most 16 KiB, path and query included',
      'HPE_HEADER_OVERFLOW',
    ],
    [
      'chunk extensions of more than 16 KiB',
      `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(17_000)}\r\n`,
      413,
      'Chunk extensions too large: at most 16 KiB',
      'HPE_CHUNK_EXTENSIONS_OVERFLOW',
    ],
  ])('has a reply of the API’s shape, and its line in the log: %s', async (_, bytes, status, message, cause) => {
    const scene = await startScene({ answer: () => undefined });
    const { replies } = await scene.open(bytes);
    await until(() => replies.length === 1);
    const [reply] = replies;
    expect([reply?.status, JSON.parse(reply?.body ?? '')]).toEqual([status, error(message)]);
    expect(reply?.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      connection: 'close',
      'x-request-id': expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    const requestId = reply?.headers['x-request-id'];
    expect(scene.lines).toEqual([{ severity: 'INFO', message: 'request', requestId, status, cause }]);
  });

  it('has a status line with words, and a length in bytes', async () => {
    const scene = await startScene();
    const came = await scene.open('hello\r\n\r\n');
    await until(() => came.replies.length === 1);
    expect(came.text.startsWith('HTTP/1.1 400 Bad Request\r\n')).toBe(true);
    expect(came.replies[0]?.headers['content-length']).toBe(String(came.replies[0]?.body.length));
  });

  it('is told in the log five times a minute', async () => {
    const scene = await startScene();
    for (let count = 0; count < 7; count += 1) {
      const came = await scene.open('hello\r\n\r\n');
      await until(() => came.replies.length === 1);
    }
    expect(scene.lines).toHaveLength(5);
  });

  it('is refused once, however much still comes, and its client has two seconds to read that', async () => {
    const scene = await startScene();
    const accepted = once(scene.server, 'connection') as Promise<[Socket]>;
    // A client that does not close when the server does.
    const client = connect({ port: scene.port, host: '127.0.0.1', allowHalfOpen: true });
    let came = '';
    client.on('data', (piece) => {
      came += piece.toString();
    });
    const [connection] = await accepted;
    client.write('hello\r\n\r\n');
    await once(client, 'end');
    const { bytesRead } = connection;
    client.write('more\r\n\r\n');
    await until(() => connection.bytesRead > bytesRead);
    await scene.clock.advance(LINGER_MS - 1);
    expect([came.split('HTTP/1.1 400').length - 1, scene.lines.length]).toEqual([1, 1]);
    expect(connection.destroyed).toBe(false);
    await scene.clock.advance(1);
    expect(connection.destroyed).toBe(true);
    client.destroy();
    await until(() => scene.clock.pending === 1);
  });

  it('leaves no timer behind when the client closes', async () => {
    const scene = await startScene();
    const came = await scene.open('hello\r\n\r\n');
    await until(() => came.replies.length === 1);
    came.socket.destroy();
    // What is left is the end of the minute in which lines are counted.
    await until(() => scene.clock.pending === 1);
  });

  it('behind a request that is being answered is not answered: it would pass for the rest of the reply', async () => {
    const scene = await startScene({
      answer: (_, res) => {
        res.writeHead(200, { 'content-length': '8' });
        res.write('half');
      },
    });
    const came = await scene.open(GET);
    await until(() => came.text.endsWith('half'));
    came.socket.write('hello\r\n\r\n');
    await until(() => came.ended);
    expect(came.text.endsWith('half')).toBe(true);
    expect(scene.lines).toEqual([]);
    await scene.clock.advance(LINGER_MS);
    await until(() => came.closed);
  });

  it('in the body of a request that was answered is not answered again', async () => {
    const scene = await startScene();
    const came = await scene.open('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    await until(() => came.replies.length === 1);
    came.socket.write('no chunk\r\n\r\n');
    await until(() => came.ended);
    expect(came.replies.map(({ body }) => body)).toEqual(['fine']);
    expect(scene.lines).toEqual([]);
  });

  it('behind a request that was answered and read is answered', async () => {
    const scene = await startScene({
      answer: async (req, res) => {
        await text(req);
        res.end('fine');
      },
    });
    const came = await scene.open(GET);
    await until(() => came.replies.length === 1);
    came.socket.write('hello\r\n\r\n');
    await until(() => came.replies.length === 2);
    expect(came.replies.map(({ status }) => status)).toEqual([200, 400]);
  });

  it('in the body of a request not answered yet has its id, and the app tells of it in the log', async () => {
    const scene = await startScene({ answer: (_, res) => void res.setHeader('x-request-id', 'known') });
    const came = await scene.open('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n\r\n');
    await until(() => came.replies.length === 1);
    expect(came.replies[0]).toMatchObject({ status: 400, headers: { 'x-request-id': 'known' } });
    expect(scene.lines).toEqual([]);
  });
});

describe('what Node would answer itself', () => {
  it('is left to the app: a request without a host, and unknown expectations', async () => {
    const seen: unknown[] = [];
    const scene = await startScene({
      answer: ({ headers }, res) => {
        seen.push([headers.host, headers.expect]);
        res.end('fine');
      },
    });
    const came = await scene.open('GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\n\r\n');
    await until(() => came.replies.length === 2);
    expect(seen).toEqual([
      [undefined, undefined],
      ['x', 'wonders'],
    ]);
  });

  it('is told to go on by a client that asks, before the app has the request', async () => {
    const scene = await startScene({ answer: async (req, res) => void res.end(await text(req)) });
    const came = await scene.open('POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n');
    await until(() => came.text !== '');
    expect(came.text).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    came.socket.write('body');
    await until(() => came.replies.length === 1);
    expect(came.replies[0]?.body).toBe('body');
  });

  it('is not told to go on behind a request that is still to be answered', async () => {
    const held: ServerResponse[] = [];
    const scene = await startScene({ answer: (_, res) => void held.push(res) });
    const came = await scene.open(
      `${GET}POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n`,
    );
    await until(() => held.length === 2);
    for (const res of held) res.end('fine');
    await until(() => came.replies.length === 2);
    expect(came.text).not.toContain('100 Continue');
  });

  it('is refused: CONNECT, whose connection is closed', async () => {
    const scene = await startScene();
    const came = await scene.open('CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => came.replies.length === 1);
    const [reply] = came.replies;
    expect(reply).toMatchObject({ status: 405, headers: { allow: 'GET, POST', connection: 'close' } });
    expect(JSON.parse(reply?.body ?? '')).toEqual(error('Method not allowed: use GET, POST'));
    expect(scene.lines).toMatchObject([{ status: 405, requestId: reply?.headers['x-request-id'] }]);
    // What still comes is read, so that the client can close.
    came.socket.end('x'.repeat(100_000));
    await until(() => came.closed);
    await until(() => scene.clock.pending === 1);
  });

  it('survives a client that resets its tunnel', async () => {
    const scene = await startScene();
    const came = await scene.open('CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => came.replies.length === 1);
    came.socket.resetAndDestroy();
    await until(() => scene.clock.pending === 1);
    const next = await scene.open(GET);
    await until(() => next.replies.length === 1);
  });
});
