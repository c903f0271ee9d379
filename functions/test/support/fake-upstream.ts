import { once } from 'node:events';
import http, { type IncomingHttpHeaders, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** One request as it came over the wire. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The fake's side of one request. */
export type Exchange = ReturnType<typeof exchangeOf>;

/** The answer to one request. */
export type Reply = (exchange: Exchange) => void | Promise<void>;

export type FakeUpstream = Awaited<ReturnType<typeof startFakeUpstream>>;

/**
 * A real HTTP server on a free port of 127.0.0.1 that plays a model provider. It answers with the replies queued, one
 * request each, and after the last one with `otherwise`.
 */
export async function startFakeUpstream(otherwise = sendStatus(500, 'no reply queued')) {
  const requests: RecordedRequest[] = [];
  const replies: Reply[] = [];
  const sockets: Socket[] = [];
  const server = http.createServer(async (incoming, response) => {
    const body = Buffer.concat(await incoming.toArray()).toString('utf8');
    const { method = '', url: path = '', headers } = incoming;
    const request = { method, path, headers, body };
    requests.push(request);
    const reply = replies.shift() ?? otherwise;
    await reply(exchangeOf(request, response));
  });
  server.on('connection', (socket) => sockets.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** In the order of arrival. */
    requests,
    /** TCP connections accepted so far. */
    get connections() {
      return sockets.length;
    },
    /** Bytes received and sent so far. */
    get traffic() {
      return sockets.reduce((sum, { bytesRead, bytesWritten }) => sum + bytesRead + bytesWritten, 0);
    },
    willReply: (...more: Reply[]) => {
      replies.push(...more);
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function exchangeOf(request: RecordedRequest, response: ServerResponse) {
  /** Sends the head; without it the first write sends a 200 event stream. */
  const begin = (status: number, headers?: OutgoingHttpHeaders): void => {
    response.writeHead(status, headers);
    response.flushHeaders();
  };
  const beginStream = (): void => {
    if (!response.headersSent) begin(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  };
  return {
    request,
    begin,
    /** Sends bytes, each call as a chunk of its own. */
    write: (bytes: string | Uint8Array): void => {
      beginStream();
      response.write(bytes);
    },
    end: (bytes = ''): void => {
      beginStream();
      response.end(bytes);
    },
    /** Closes the socket without finishing the reply. */
    cut: (): void => void response.destroy(),
    /** Resolves when the client gave up before the reply was finished. */
    disconnected: new Promise<void>((resolve) => {
      response.once('close', () => {
        if (!response.writableFinished) resolve();
      });
    }),
  };
}

/** A whole reply at once; an object is sent as JSON. */
export function sendStatus(status: number, body: string | object, headers: OutgoingHttpHeaders = {}): Reply {
  return (exchange) => {
    const isText = typeof body === 'string';
    exchange.begin(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers });
    exchange.end(isText ? body : JSON.stringify(body));
  };
}

/** One event of an event stream. */
export function event(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

/** An event stream in one piece. */
export function sendEvents(events: string): Reply {
  return (exchange) => exchange.end(events);
}

/** An event stream of one-byte chunks. */
export function sendBytewise(events: string): Reply {
  return (exchange) => {
    for (const byte of Buffer.from(events)) exchange.write(Buffer.of(byte));
    exchange.end();
  };
}

/** A reply that the test gives itself, step by step, once the request is there. */
export function underControl(): { readonly exchange: Promise<Exchange>; readonly reply: Reply } {
  const { promise, resolve } = Promise.withResolvers<Exchange>();
  return { exchange: promise, reply: resolve };
}

/** The address of a server that is no more. */
export async function refusedUrl(): Promise<string> {
  const gone = await startFakeUpstream();
  await gone.close();
  return gone.url;
}
