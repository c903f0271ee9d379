import { createServer, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorBody, type Refusal, refuse, statusOf } from '../errors';
import { type Clock, newId } from '../lib/clock';
import type { Log } from '../lib/log';
import { createLineSample } from '../telemetry/request-trace';
import type { App } from './app';
import { JSON_HEADERS } from './reply';

/** Milliseconds that a connection may take: for a head, for a whole request, and without a request. */
const TIMES = {
  headersTimeout: 30_000,
  requestTimeout: 60_000,
  /** Longer than proxies keep a connection, so that none sends a request to one just closed. */
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
};

/** Time for a client to read that it was refused: closing at once would take the reply from it, too. */
const LINGER_MS = 2_000;

/** Refusals of Node's parser, by its code; all others are `MALFORMED`. */
const PARSER_REFUSALS: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: refuse('request_timeout'),
  HPE_HEADER_OVERFLOW: refuse('headers_too_large'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: refuse('payload_too_large', 'Chunk extensions too large: at most 16 KiB'),
};
const MALFORMED = refuse('invalid_request', 'Invalid HTTP: the request could not be parsed');
const NO_TUNNEL = refuse('method_not_allowed', 'Method not allowed: use GET, POST', { allow: 'GET, POST' });

export type ServerTimes = typeof TIMES;

interface ServerParts {
  readonly app: App;
  readonly clock: Clock;
  readonly log: Log;
}

/** Makes Node's own server over the app; what its parser refuses gets an error body as well. */
export function createHttpServer({ app, clock, log }: ServerParts, times: Partial<ServerTimes> = {}): Server {
  const server = createServer({ ...TIMES, ...times, requireHostHeader: false });
  const isLogged = createLineSample({ clock, log });
  const unanswered = new WeakMap<Duplex, Set<ServerResponse>>();

  server.on('request', (req, res) => {
    noteUnanswered(unanswered, res);
    void app(req, res);
  });
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  server.on('connect', (_req, socket) => {
    socket.on('error', () => undefined);
    refuseRaw(socket, NO_TUNNEL);
    socket.resume();
  });
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket) => {
    if (!socket.writable) {
      // One that is already refused fails again with each byte that still comes.
      if (!socket.writableEnded) socket.destroy();
      return;
    }
    const current = [...(unanswered.get(socket) ?? [])].find((res) => !isOver(res));
    // A second reply would pass for a part of the first, or for the reply to the next request.
    if (current?.headersSent) closeSoon(socket.end());
    else refuseRaw(socket, PARSER_REFUSALS[code] ?? MALFORMED, { cause: code, current });
  });
  return server;

  /** Refuses where there is no response to write to, and closes the connection. */
  function refuseRaw(
    socket: Duplex,
    refusal: Refusal,
    of: { cause?: string; current?: ServerResponse | undefined } = {},
  ) {
    const knownId = of.current?.getHeader('x-request-id')?.toString();
    const requestId = knownId ?? newId(clock);
    const status = statusOf(refusal.code);
    // The app logs the requests that it has begun.
    if (knownId === undefined && isLogged(status)) log.info('request', { requestId, status, cause: of.cause });
    closeSoon(socket.end(rawReply(refusal, requestId)));
  }

  function closeSoon(socket: Duplex): void {
    socket.once(
      'close',
      clock.after(LINGER_MS, () => socket.destroy()),
    );
  }
}

function noteUnanswered(unanswered: WeakMap<Duplex, Set<ServerResponse>>, res: ServerResponse): void {
  const { req } = res;
  const ofSocket = unanswered.get(req.socket) ?? new Set();
  unanswered.set(req.socket, ofSocket.add(res));
  res.once('close', () => {
    if (isOver(res)) ofSocket.delete(res);
    else req.once('close', () => ofSocket.delete(res));
  });
}

function isOver({ writableEnded, req }: ServerResponse): boolean {
  return writableEnded && req.complete;
}

function rawReply({ code, text, headers }: Refusal, requestId: string): string {
  const status = statusOf(code);
  const body = JSON.stringify(errorBody(code, text));
  const lines = Object.entries({
    ...headers,
    ...JSON_HEADERS,
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
