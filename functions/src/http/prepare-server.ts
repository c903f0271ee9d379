import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorBody, type Refusal, refuse, statusOf } from '../errors';
import { type Clock, newId } from '../lib/clock';
import type { Log } from '../lib/log';
import { createLineSample } from '../telemetry/line-sample';
import { beforeListening } from './listening-servers';
import { JSON_HEADERS } from './reply';

/** How long a connection may take for each thing, in milliseconds. */
export interface ServerTimes {
  /** For the head of a request, from its first byte, or from the opening of the connection. */
  readonly headMs: number;
  /** For a whole request, body included. */
  readonly requestMs: number;
  /** Without a request: longer than proxies keep a connection, so that none sends one to a connection just closed. */
  readonly idleMs: number;
  /** How often connections are looked at for the first two. */
  readonly checkEveryMs: number;
}

const TIMES: ServerTimes = { headMs: 30_000, requestMs: 60_000, idleMs: 65_000, checkEveryMs: 5_000 };

/** How long a client may go on sending what was refused: closing at once would take the reply from it, too. */
const LINGER_MS = 2_000;

/** What Node's parser finds, by its code; all else is malformed. */
const PARSER_REFUSALS: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: refuse('request_timeout'),
  HPE_HEADER_OVERFLOW: refuse('headers_too_large'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: refuse('payload_too_large', 'Chunk extensions too large: at most 16 KiB'),
};
const MALFORMED = refuse('invalid_request', 'Invalid HTTP: the request could not be parsed');
const NO_TUNNEL = refuse('method_not_allowed', 'Method not allowed: use GET, POST', { allow: 'GET, POST' });

interface ServerDeps {
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Prepares each HTTP server of this process just before it listens: the one of the framework is made out of our reach.
 * `before` is done to each first.
 */
export function prepareServers(deps: ServerDeps, before: (server: Server) => void = () => undefined): void {
  beforeListening((server) => {
    before(server);
    prepareServer(server, deps);
  });
}

/**
 * Sets the timers of a server, and lets the service answer what Node itself would answer with an empty reply or none:
 * what its parser refuses, requests without a host, unknown expectations, and CONNECT. To be called before it listens.
 * @internal
 */
export function prepareServer(server: Server, deps: ServerDeps, times: Partial<ServerTimes> = {}): void {
  const { headMs, requestMs, idleMs, checkEveryMs } = { ...TIMES, ...times };
  // The last two can be set only here or where the server is made.
  Object.assign(server, { connectionsCheckingInterval: checkEveryMs, requireHostHeader: false });
  server.headersTimeout = headMs;
  server.requestTimeout = requestMs;
  server.keepAliveTimeout = idleMs;
  const refuser: Refuser = { ...deps, isLogged: createLineSample(deps) };
  refuseMalformed(server, refuser);
  server.on('checkContinue', (req, res) => {
    // Behind another request it would be kept, and land between head and body of the reply: Node puts the head first.
    if (res.socket) res.writeContinue();
    server.emit('request', req, res);
  });
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  server.on('connect', (_req, socket) => {
    socket.on('error', () => undefined);
    refuseRaw(refuser, socket, { refusal: NO_TUNNEL });
    socket.resume();
  });
}

/** What it takes to refuse where there is no app; anybody can have a line written, so not all are. */
interface Refuser extends ServerDeps {
  readonly isLogged: (status: number) => boolean;
}

/** Answers what the parser refuses, once for each connection, and closes it. */
function refuseMalformed(server: Server, refuser: Refuser): void {
  const latest = new WeakMap<Duplex, IncomingMessage>();
  server.on('request', (req) => latest.set(req.socket, req));
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket) => {
    // Already refused: the parser fails again with each byte that still comes.
    if (socket.writableEnded) return;
    const { code = '', rawPacket } = error;
    // Node's own listener looks here, too: another reply in the middle of one would be read as part of it.
    const { _httpMessage: inFlight } = socket as { _httpMessage?: ServerResponse | null };
    const isAnswered = inFlight ? inFlight.headersSent : latest.get(socket)?.complete === false;
    const knownId = inFlight?.getHeader('x-request-id')?.toString();
    const isHead = /^\s*HEAD /.test(inFlight ? `${inFlight.req.method} ` : String(rawPacket?.subarray(0, 16)));
    if (!socket.writable) socket.destroy();
    // What is wrong with the rest of an answered request is not answered again: it would pass for the next reply.
    else if (isAnswered) lingerThenClose(refuser, socket.end());
    else refuseRaw(refuser, socket, { refusal: PARSER_REFUSALS[code] ?? MALFORMED, cause: code, knownId, isHead });
  });
}

interface RawRefusal {
  readonly refusal: Refusal;
  readonly cause?: string;
  /** Of a request that the app has begun with, and logs. */
  readonly knownId?: string | undefined;
  /** Set for a HEAD, whose reply has no body. */
  readonly isHead?: boolean;
}

/** Answers where there is no response to write to. */
function refuseRaw({ clock, log, isLogged }: Refuser, socket: Duplex, raw: RawRefusal): void {
  const { refusal, cause, knownId } = raw;
  const requestId = knownId ?? newId(clock);
  const status = statusOf(refusal.code);
  if (knownId === undefined && isLogged(status)) log.info('request', { requestId, status, cause });
  lingerThenClose({ clock }, socket.end(rawReply(raw, requestId)));
}

function lingerThenClose({ clock }: Pick<ServerDeps, 'clock'>, socket: Duplex): void {
  const cancel = clock.after(LINGER_MS, () => socket.destroy());
  socket.once('close', cancel);
}

/** A refusal as bytes. */
function rawReply({ refusal: { code, text, headers }, isHead }: RawRefusal, requestId: string): string {
  const status = statusOf(code);
  const body = JSON.stringify(errorBody(code, text));
  const lines = Object.entries({
    ...headers,
    ...JSON_HEADERS,
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${isHead ? '' : body}`;
}
