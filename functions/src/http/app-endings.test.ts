import { getEventListeners, once } from 'node:events';
import { connect } from 'node:net';
import { ADA, error, PATH, startScene } from '../../test/support/app-scene';
import { until } from '../../test/support/until';
import type { Caller } from '../access/guard';
import { refuse } from '../errors';

describe('a client that writes all before it reads', () => {
  // Node closes such a connection as soon as its reply is written: what still comes is answered by a reset, which takes the
  // reply with it.
  it.each(['close', 'keep-alive'])('gets its refusal, with `connection: %s`', async (connection) => {
    const scene = await startScene({ identify: async () => refuse('unauthorized') });
    const body = Buffer.alloc(16 * 1024 * 1024, ' ');
    const socket = connect(scene.port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    const head = [`POST ${PATH} HTTP/1.1`, 'Host: x', `Content-Length: ${body.length}`, `Connection: ${connection}`];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    await new Promise<void>((resolve, reject) => {
      socket.write(body, (fault) => (fault ? reject(fault) : resolve()));
    });
    socket.resume();
    const [piece] = await once(socket, 'data');
    expect(String(piece)).toMatch(/^HTTP\/1\.1 401 /);
    if (connection === 'close') await once(socket, 'close');
    else socket.destroy();
  });
});

describe('a client that leaves', () => {
  const leave = (port: number) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`GET ${PATH} HTTP/1.1\r\nHost: x\r\n\r\n`);
    return socket;
  };

  it('is told to its endpoint, and is 499 in the log, whatever breaks then', async () => {
    const scene = await startScene({
      handle: async ({ clientGone }) => {
        if (!clientGone.aborted) await once(clientGone, 'abort');
        throw new Error('nobody is there');
      },
    });
    const socket = leave(scene.port);
    await until(() => scene.requests.length === 1);
    socket.destroy();
    await until(() => scene.lines.length > 0);
    expect(scene.lines).toEqual([expect.objectContaining({ message: 'request', status: 499 })]);
    await until(() => scene.openWork.count === 0);
  });

  it('while its key is looked up is not begun with', async () => {
    const gate = Promise.withResolvers<Caller>();
    const scene = await startScene({ identify: () => gate.promise });
    const accepted = once(scene.server, 'connection');
    const socket = leave(scene.port);
    const [connection] = await accepted;
    await until(() => scene.identified.length === 1);
    const closed = once(connection, 'close');
    socket.destroy();
    await closed;
    gate.resolve(ADA);
    await until(() => scene.lines.length > 0);
    expect(scene.lines).toEqual([expect.objectContaining({ message: 'request', status: 499 })]);
    expect([scene.requests, scene.counted]).toEqual([[], []]);
  });

  it('is no client that has read its reply', async () => {
    const scene = await startScene();
    await scene.send();
    await until(() => scene.openWork.count === 0);
    expect(scene.requests[0]?.clientGone.aborted).toBe(false);
  });
});

describe('a process that is to end', () => {
  const restarting = { status: 503, body: error('The server is restarting', 'api_error') };

  it('begins nothing new and closes its connections', async () => {
    const scene = await startScene();
    void scene.openWork.stop();
    const { status, headers, body } = await scene.send();
    expect({ status, body }).toEqual(restarting);
    expect([headers['connection'], headers['retry-after']]).toEqual(['close', '1']);
    expect(scene.identified).toEqual([]);
  });

  it('does not wait for bodies', async () => {
    const scene = await startScene({
      handle: async ({ readJson }) => ({ body: { read: await readJson() } as object }),
    });
    const socket = connect(scene.port, '127.0.0.1');
    socket.write(`POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"n":`);
    const heard = once(socket, 'data');
    await until(() => scene.requests.length === 1 && getEventListeners(scene.openWork.stopping, 'abort').length > 0);
    void scene.openWork.stop();
    const [reply] = await heard;
    expect(String(reply)).toContain('The server is restarting');
    expect(String(reply).toLowerCase()).toContain('connection: close');
    socket.destroy();
  });
});
