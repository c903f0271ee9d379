import { once } from 'node:events';
import { connect } from 'node:net';
import { CHAT_PATH, startApp } from '../../test/support/app';
import { during } from '../../test/support/during';

describe('a client that writes all before it reads', () => {
  const app = during('all', startApp);

  // Node closes such a connection as soon as its reply is written: what still comes is answered by a reset, which takes the
  // reply with it.
  it.each(['close', 'keep-alive'])('gets its refusal, with `connection: %s`', async (connection) => {
    const socket = connect(Number(new URL(app.baseUrl).port), '127.0.0.1').pause();
    socket.on('error', () => undefined);
    const body = Buffer.alloc(16 * 1024 * 1024, ' ');
    const head = [
      `POST ${CHAT_PATH} HTTP/1.1`,
      'Host: x',
      `Content-Length: ${body.length}`,
      `Connection: ${connection}`,
    ];
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
