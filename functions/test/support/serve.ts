import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openSocket } from './raw-socket';

type Answer = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>;

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** Serves on a free port of 127.0.0.1 until the test is over. */
export function serve(answer: Answer) {
  return opened(createServer((req, res) => void answer(req, res)));
}

/** The same with a server that is there already. */
export async function opened(server: Server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  open.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { server, port, baseUrl: `http://127.0.0.1:${port}` };
}

/** One response of a server that is asked by a client that reads only when it is told to. */
export async function openResponse() {
  const arrived = Promise.withResolvers<ServerResponse>();
  const served = await serve((_, res) => arrived.resolve(res));
  const client = await openSocket(served.port);
  let text = '';
  client.on('data', (piece) => {
    text += piece.toString();
  });
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const res = await arrived.promise;
  return {
    res,
    client,
    /** All that has come. */
    text: () => text,
  };
}
