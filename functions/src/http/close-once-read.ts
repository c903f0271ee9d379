import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Lets a connection that its client wants closed live until the request has come to its end. Node closes it once the reply is
 * written; what still comes is then answered by a reset, and a client that writes all before it reads finds no reply.
 * Whoever never comes to the end is closed by the server's time for a request. To be called before the reply is sent.
 */
export function closeOnceRead(req: IncomingMessage, res: ServerResponse): void {
  if (req.complete || res.shouldKeepAlive || res.headersSent) return;
  res.shouldKeepAlive = true;
  req.once('end', () => req.socket.destroySoon());
}
