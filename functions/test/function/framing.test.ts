import { errorBody } from '../support/api-errors';
import { firstReply, openSocket, ReplyReader, repliesUntilClosed, type SocketReply } from '../support/raw-socket';
import { until } from '../support/until';
import { type FunctionServer, startFunctionServer } from './function-server';

/**
 * Requests that Node's parser refuses, and those whose framing the service does not know, as bytes on a connection to the
 * real server: the parser's own replies are empty and have no id.
 */

const BODY = JSON.stringify({ model: 'demo-ada', messages: [{ role: 'user', content: 'hi' }] });
const CHUNKED_BODY = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
const NOISE = 'a'.repeat(20_000);

describe('what the server answers to bytes that no client would send', () => {
  let server: FunctionServer;

  beforeAll(async () => {
    server = await startFunctionServer();
  });
  afterAll(() => server.stop());

  const post = (...lines: string[]): string =>
    `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.key}\r\n${lines.join('\r\n')}`;
  const get = (...lines: string[]): string =>
    `GET /v1/models HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.key}\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`;

  const expectRefusal = (reply: SocketReply, status: number, message: string): void => {
    const { status: actual, headers, body } = reply;
    expect({ status: actual, headers, body: JSON.parse(body) }).toEqual({
      status,
      headers: expect.objectContaining({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.stringMatching(/^[0-9a-f]{32}$/),
      }),
      body: errorBody(message),
    });
  };

  it('logs what it refused, under the id it gave away', async () => {
    const [reply] = await repliesUntilClosed(server.port, 'SHOUT /v1/models HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => server.output().includes(reply?.headers['x-request-id'] ?? 'no id'));
  });

  it.each<[string, () => string | Buffer]>([
    ['a method there is none of', () => 'SHOUT /v1/models HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['another version of HTTP', () => 'GET /v1/models HTTP/3.0\r\nHost: x\r\n\r\n'],
    ['the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['the hello of TLS', () => Buffer.from('16030100c8010000c40303', 'hex')],
    ['any bytes', () => Buffer.from([0, 255, 1, 254, 13, 10, 13, 10])],
    ['both a length and chunks', () => post('Content-Length: 6', 'Transfer-Encoding: chunked', '', '0\r\n\r\n')],
    ['two lengths that agree', () => post('Content-Length: 3', 'Content-Length: 3', '', 'abc')],
    ['two lengths that do not', () => post('Content-Length: 3', 'Content-Length: 4', '', 'abcd')],
    ['a list of lengths', () => post('Content-Length: 3, 3', '', 'abc')],
    ['a negative length', () => post('Content-Length: -3', '', 'abc')],
    ['a length with a sign', () => post('Content-Length: +3', '', 'abc')],
    ['a length beyond 64 bits', () => post('Content-Length: 99999999999999999999', '', 'abc')],
    ['chunks that are not the last coding', () => post('Transfer-Encoding: chunked, gzip', '', CHUNKED_BODY)],
    ['a coding without chunks', () => post('Transfer-Encoding: gzip', '', 'abc')],
    ['chunks coded twice', () => post('Transfer-Encoding: chunked, chunked', '', CHUNKED_BODY)],
    ['a size that is no number', () => post('Transfer-Encoding: chunked', '', 'zz\r\nabc\r\n0\r\n\r\n')],
    ['a size beyond 64 bits', () => post('Transfer-Encoding: chunked', '', 'fffffffffffffffff\r\nabc\r\n')],
    ['a chunk longer than its size', () => post('Transfer-Encoding: chunked', '', '1\r\nabc\r\n0\r\n\r\n')],
    ['a header folded over two lines', () => get('X-Odd: a', ' b')],
    ['a space before the colon', () => get('X-Odd : a')],
    ['a line feed alone', () => get().replaceAll('\r\n', '\n')],
    ['a carriage return in a header', () => get('X-Odd: a\rb')],
    ['a NUL in a header', () => get('X-Odd: a\0b')],
  ])('400 and no more: %s', async (_, bytes) => {
    const [reply, ...more] = await repliesUntilClosed(server.port, bytes());
    expectRefusal(reply as SocketReply, 400, 'Invalid HTTP: the request could not be parsed');
    expect(reply?.headers['connection']).toBe('close');
    expect(more).toEqual([]);
  });

  const tooLarge = 'Request headers too large: at most 16 KiB, path and query included';
  it.each<[number, string, string, () => string]>([
    [431, 'a long header', tooLarge, () => get(`X-Odd: ${NOISE}`)],
    [431, 'many headers', tooLarge, () => get(...Array<string>(5_000).fill('X: y'))],
    [431, 'a flood of headers that goes on after the reply', tooLarge, () => get(...Array(400).fill(`X: ${NOISE}`))],
    [431, 'a long path', tooLarge, () => `GET /${NOISE} HTTP/1.1\r\nHost: x\r\n\r\n`],
    [
      413,
      'long chunk extensions',
      'Chunk extensions too large: at most 16 KiB',
      () => post('Transfer-Encoding: chunked', '', `1;${NOISE}\r\n{\r\n0\r\n\r\n`),
    ],
    [405, 'a tunnel', 'Method not allowed: use GET, POST', () => 'CONNECT a.example:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('%i and the connection is closed: %s', async (status, _, message, bytes) => {
    const [reply, ...more] = await repliesUntilClosed(server.port, bytes());
    expectRefusal(reply as SocketReply, status, message);
    expect(more).toEqual([]);
  });

  const unknownCoding = 'Unsupported transfer coding: send the body as it is or in chunks';
  it.each<[number, string, string, () => string]>([
    [400, 'no host', 'Invalid HTTP: the Host header is missing', () => 'GET /v1/models HTTP/1.1\r\n\r\n'],
    [
      417,
      'another expectation than 100-continue',
      'Unsupported expectation: only 100-continue is known',
      () => post('Expect: a miracle', `Content-Length: ${BODY.length}`, '', BODY),
    ],
    [501, 'gzip within chunks', unknownCoding, () => post('Transfer-Encoding: gzip, chunked', '', CHUNKED_BODY)],
    [
      501,
      'gzip within chunks, in two headers',
      unknownCoding,
      () => post('Transfer-Encoding: gzip', 'Transfer-Encoding: chunked', '', CHUNKED_BODY),
    ],
    [
      501,
      'gzip within chunks, without a key and without a need for a body',
      unknownCoding,
      () => `GET /v1/models HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n${CHUNKED_BODY}`,
    ],
  ])('%i: %s', async (status, _, message, bytes) => {
    expectRefusal(await firstReply(server.port, bytes()), status, message);
  });

  it.each<[string, () => string]>([
    ['an upgrade to another protocol is not taken up', () => get('Connection: Upgrade', 'Upgrade: websocket')],
    ['HTTP/1.0 needs no host', () => get().replace('HTTP/1.1\r\nHost: x', 'HTTP/1.0')],
    ['HTTP/1.0 knows no expectations', () => get('Expect: a miracle').replace('HTTP/1.1', 'HTTP/1.0')],
    ['empty lines may come before a request', () => `\r\n\r\n${get()}`],
    ['the scheme and host of an absolute target are not looked at', () => get().replace(' /', ' http://a.example/')],
    ['chunks in any case', () => post('Transfer-Encoding: CHUNKED', '', CHUNKED_BODY)],
  ])('200: %s', async (_, bytes) => {
    expect((await firstReply(server.port, bytes())).status).toBe(200);
  });

  it('keeps interim replies out of the middle of others', async () => {
    // The second has its reply long before the first, and is to be told to go on before that.
    const first = post(`Content-Length: ${BODY.length}`, '', BODY);
    const second = 'PUT /v1/models HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n';
    const replies = await repliesUntilClosed(server.port, first + second);
    expect(replies.map(({ status, body }) => [status, typeof JSON.parse(body)])).toEqual([
      [200, 'object'],
      [405, 'object'],
    ]);
  });

  it('answers once, also when the rest of an answered request is malformed', async () => {
    const socket = await openSocket(server.port);
    const replies: number[] = [];
    const reader = new ReplyReader();
    socket.write('POST /v1/nothing HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('data', (piece) => {
      replies.push(...reader.read(piece).map(({ status }) => status));
      socket.write('no chunk');
    });
    await closed;
    expect(replies).toEqual([404]);
  });

  it('goes on with a connection after a refusal of ours', async () => {
    const wrong = post('Transfer-Encoding: gzip, chunked', '', CHUNKED_BODY);
    const replies = await repliesUntilClosed(server.port, wrong + get('Connection: close'));
    expect(replies.map(({ status }) => status)).toEqual([501, 200]);
  });
});
