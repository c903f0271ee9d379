import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';

/**
 * Opens an HTTP server on a free port of 127.0.0.1, to be closed with `ends`; resolves with the port. It does not listen
 * itself: whatever HTTP server listens in this process is taken for the one that users ask, and gets its app
 * (`start-up.ts`).
 */
export async function openLoopback(server: Server, ends: AsyncDisposableStack): Promise<number> {
  // As HTTP servers have it: small packets would wait for the acknowledgement of those before.
  const listener = createServer({ noDelay: true }, (socket) => server.emit('connection', socket));
  ends.defer(() => {
    server.closeAllConnections();
    listener.close();
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return (listener.address() as AddressInfo).port;
}
