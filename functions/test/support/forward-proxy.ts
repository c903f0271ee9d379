import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** A request to the proxy: `CONNECT host:port`, or a method and a whole address. */
interface Asked {
  readonly what: string;
  readonly authorization: string | undefined;
}

interface Options {
  /** The answer to every CONNECT in place of a connection. */
  readonly refuses?: string;
}

/**
 * A forward proxy on a free port of 127.0.0.1, as company networks have one: tunnels for TLS, whole addresses for plain
 * http. Hosts that are not this machine's are unknown to it.
 */
export async function startForwardProxy({ refuses }: Options = {}) {
  const asked: Asked[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((incoming, response) => {
    const { method = '', url = '', headers } = incoming;
    asked.push({ what: `${method} ${url}`, authorization: headers['proxy-authorization'] });
    const onward = httpRequest(url, { method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    onward.on('error', () => response.destroy());
    incoming.pipe(onward);
  });
  server.on('connection', (socket) => sockets.add(socket));
  server.on('connect', ({ url = '', headers }, client: Socket) => {
    asked.push({ what: `CONNECT ${url}`, authorization: headers['proxy-authorization'] });
    const [host = '', port] = url.split(':');
    client.on('error', () => undefined);
    if (refuses !== undefined || host !== 'localhost') {
      client.end(`HTTP/1.1 ${refuses ?? '502 Bad Gateway'}\r\n\r\n`);
      return;
    }
    const onward = connect(Number(port), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(client).pipe(onward);
    });
    sockets.add(onward);
    onward.on('error', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    /** In the order of arrival. */
    asked,
    whatWasAsked: () => asked.map(({ what }) => what),
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
