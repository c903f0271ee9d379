import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { fakeClock } from '../../test/support/fake-clock';
import { error, GET, startScene } from '../../test/support/server-scene';
import { until } from '../../test/support/until';
import { createLog } from '../lib/log';
import { prepareServer } from './prepare-server';

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
