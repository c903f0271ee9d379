import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { error, GET, LINGER_MS, startScene } from '../../test/support/server-scene';
import { until } from '../../test/support/until';

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

  it.each([
    ['a bad target', 'HEAD x HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['a bad header', 'HEAD / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n', 400],
    ['a bad header, after an empty line', '\r\nHEAD / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n', 400],
    ['two lengths', 'HEAD / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    ['no chunk', 'HEAD / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n', 400],
    ['another version of HTTP', 'HEAD / HTTP/9.9\r\nHost: x\r\n\r\n', 400],
    ['a long head', `HEAD / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
  ])('is told to a HEAD by a head alone: %s', async (_, bytes, status) => {
    const scene = await startScene({ answer: () => undefined });
    const came = await scene.open(bytes);
    await until(() => came.ended);
    expect(came.text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*content-length: [1-9][^]*\r\n\r\n$`));
  });

  it('is told to a GET whose header looks like a HEAD with its body', async () => {
    const scene = await startScene();
    const came = await scene.open('GET / HTTP/1.1\r\nHost: x\r\nHEAD / HTTP/1.1\r\nbad header\r\n\r\n');
    await until(() => came.replies.length === 1);
    expect(JSON.parse(came.replies[0]?.body ?? '')).toHaveProperty('error.message');
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
