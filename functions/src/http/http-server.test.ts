import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { fakeClock } from '../../test/support/fake-clock';
import { openSocket, ReplyReader, type SocketReply } from '../../test/support/raw-socket';
import { opened } from '../../test/support/serve';
import { until } from '../../test/support/until';
import { createLog } from '../lib/log';
import { createHttpServer } from './http-server';

const LONG = 'x'.repeat(17_000);
const POST = 'POST / HTTP/1.1\r\nHost: x\r\n';
const CHUNKED = `${POST}Transfer-Encoding: chunked\r\n\r\n`;
const MALFORMED = 'Invalid HTTP: the request could not be parsed';
const TOO_LARGE = 'Request headers too large: at most 16 KiB, path and query included';

/** Answer of the app behind the server. */
type Answer = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>;

/** Time that a refused client has to read the refusal. */
const LINGER_MS = 2_000;

/** A prepared server whose app answers at once, unless told otherwise, and time that stands still. */
async function startScene({ answer = (_, res) => void res.end('fine') }: { answer?: Answer } = {}) {
  const clock = fakeClock();
  const lines: Record<string, unknown>[] = [];
  const log = createLog('debug', (line) => lines.push(JSON.parse(line)));
  const app = async (...parts: Parameters<Answer>) => answer(...parts);
  const served = await opened(createHttpServer({ app, clock, log }));
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

describe('what Node would answer without words', () => {
  it.each([
    ['no HTTP', 'hello\r\n\r\n', 400, MALFORMED, 'HPE_INVALID_METHOD'],
    ['a long head', `GET / HTTP/1.1\r\nHost: x\r\nX: ${LONG}\r\n\r\n`, 431, TOO_LARGE, 'HPE_HEADER_OVERFLOW'],
    [
      'long chunk extensions',
      `${CHUNKED}1;${LONG}\r\n`,
      413,
      'Chunk extensions too large: at most 16 KiB',
      'HPE_CHUNK_EXTENSIONS_OVERFLOW',
    ],
    ['a tunnel', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'Method not allowed: use GET, POST', undefined],
  ])('has a reply of the API’s shape, a line in the log, and its connection is closed: %s', async (...row) => {
    const [, bytes, status, message, cause] = row;
    const scene = await startScene({ answer: () => undefined });
    const came = await scene.open(bytes);
    await until(() => came.ended);
    const [reply, ...more] = came.replies;
    expect([reply?.status, JSON.parse(reply?.body ?? ''), more]).toEqual([status, error(message), []]);
    expect(reply?.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-length': String(reply?.body.length),
      connection: 'close',
      'x-request-id': expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    const requestId = reply?.headers['x-request-id'];
    expect(scene.lines).toEqual([{ severity: 'INFO', message: 'request', requestId, status, ...(cause && { cause }) }]);
  });

  it('has a line in the log five times a minute', async () => {
    const scene = await startScene();
    for (let count = 0; count < 7; count += 1) {
      const came = await scene.open('hello\r\n\r\n');
      await until(() => came.replies.length === 1);
    }
    expect(scene.lines).toHaveLength(5);
  });
});

describe('a connection whose request was refused', () => {
  it('stays for two seconds, however much still comes, so that its client can read why', async () => {
    const scene = await startScene();
    const accepted = once(scene.server, 'connection') as Promise<[Socket]>;
    // A client that does not close when the server does.
    const client = connect({ port: scene.port, host: '127.0.0.1', allowHalfOpen: true });
    const came: string[] = [];
    client.on('data', (piece) => came.push(piece.toString()));
    const [connection] = await accepted;
    client.write('hello\r\n\r\n');
    await once(client, 'end');
    const { bytesRead } = connection;
    client.write('more\r\n\r\n');
    await until(() => connection.bytesRead > bytesRead);
    await scene.clock.advance(LINGER_MS - 1);
    expect([connection.destroyed, came.join('').split('HTTP/1.1 400').length - 1, scene.lines.length]).toEqual([
      false,
      1,
      1,
    ]);
    await scene.clock.advance(1);
    expect(connection.destroyed).toBe(true);
    client.destroy();
  });

  it.each(['hello\r\n\r\n', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n'])(
    'leaves nothing behind when its client resets it: %j',
    async (bytes) => {
      const scene = await startScene();
      const came = await scene.open(bytes);
      await until(() => came.replies.length === 1);
      came.socket.resetAndDestroy();
      // The end of the minute in which lines are counted is left.
      await until(() => scene.clock.pending === 1);
      const next = await scene.open(GET);
      await until(() => next.replies.length === 1);
    },
  );
});

describe('bytes that are no request', () => {
  const half = (_: unknown, res: ServerResponse) => {
    res.writeHead(200, { 'content-length': '8' });
    res.write('half');
  };

  it.each<[string, Parameters<typeof startScene>[0], string, string, number[]]>([
    ['not behind one that is being answered', { answer: half }, GET, 'hello\r\n\r\n', []],
    [
      'not behind several, of which the first is being answered',
      { answer: (req, res) => (req.url === '/' ? half(req, res) : undefined) },
      GET + GET.replace('/', '/second'),
      'hello\r\n\r\n',
      [],
    ],
    ['not in the body of one that was answered', {}, CHUNKED, 'no chunk\r\n\r\n', [200]],
    [
      'behind one that was answered and read',
      { answer: async (req, res) => void res.end(await text(req)) },
      GET,
      'hello\r\n\r\n',
      [200, 400],
    ],
  ])('are answered where that passes for no part of another reply: %s', async (_, options, first, then, statuses) => {
    const scene = await startScene(options);
    const came = await scene.open(first);
    await until(() => came.text.endsWith('half') || came.replies.length === 1);
    came.socket.write(then);
    await until(() => came.ended);
    expect(came.replies.map(({ status }) => status)).toEqual(statuses);
    expect(came.text.endsWith('half')).toBe(statuses.length === 0);
  });

  it('in the body of a request not answered yet get its id, and the app has the line in the log', async () => {
    const scene = await startScene({ answer: (_, res) => void res.setHeader('x-request-id', 'known') });
    const came = await scene.open(`${CHUNKED}no chunk\r\n\r\n`);
    await until(() => came.replies.length === 1);
    expect(came.replies[0]).toMatchObject({ status: 400, headers: { 'x-request-id': 'known' } });
    expect(scene.lines).toEqual([]);
  });
});
