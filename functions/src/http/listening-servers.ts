import { subscribe } from 'node:diagnostics_channel';
import { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Does something to each HTTP server of this process just before it listens. */
export function beforeListening(prepare: (server: Server) => void): void {
  subscribe('tracing:net.server.listen:asyncStart', (message) => {
    const { server } = message as { server: unknown };
    if (server instanceof Server) prepare(server);
  });
}

/** Calls `listener` when an HTTP server of this process listens on a port; what that returns is called when it is closed. */
export function onListening(listener: (address: AddressInfo) => () => void): void {
  beforeListening((server) => {
    server.once('listening', () => {
      const address = server.address();
      if (address !== null && typeof address !== 'string') server.once('close', listener(address));
    });
  });
}
