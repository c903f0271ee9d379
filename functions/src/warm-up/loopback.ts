import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';

/** A server that this process has for itself. */
export interface Loopback {
  readonly port: number;
  readonly close: () => void;
}

/**
 * Opens an HTTP server on a free port of 127.0.0.1. It does not listen itself: whatever HTTP server listens in this
 * process is taken for the one that users ask, and gets its app (`start-up.ts`).
 */
export async function openLoopback(server: Server): Promise<Loopback> {
  // As HTTP servers have it: small packets would wait for the acknowledgement of those before.
  const listener = createServer({ noDelay: true }, (socket) => server.emit('connection', socket));
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    close: () => {
      server.closeAllConnections();
      listener.close();
    },
  };
}
