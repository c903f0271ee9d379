import { once } from 'node:events';
import {
  type ClientHttp2Session,
  connect,
  constants,
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Fault of one call. A number: refused with this gRPC status, never seen by the server. `lost`: answered by the
 * server, the answer dropped and UNAVAILABLE sent instead. `reset`: likewise, and the stream is cut. `stall`: reaches
 * the server only after five seconds.
 */
export type ProxyFault = number | 'lost' | 'reset' | 'stall';

/** Latency of a call, milliseconds; asked for once on its way there and once on its way back. */
type DelayOf = () => number;

/** A proxy between the SDK and the emulator, for the SDK's gRPC. */
export interface FirestoreProxy {
  /** `host:port`, for `FIRESTORE_EMULATOR_HOST`. */
  readonly host: string;
  /** Resolves when every call that reached the proxy has reached the server, or been refused. */
  idle(): Promise<void>;
  /** Waits until every client has disconnected: what one of them still asks for would outlive the suite. */
  close(): Promise<void>;
}

const STALL_MS = 5_000;
const UNAVAILABLE = 14;

interface Answer {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly trailers: IncomingHttpHeaders | undefined;
}

/** Starts one in front of the emulator at `target`; `faultOf` is asked once for every call. */
export async function startFirestoreProxy(
  target: string,
  faultOf: (path: string) => ProxyFault | undefined,
  delayOf: DelayOf = () => 0,
): Promise<FirestoreProxy> {
  const upstream = connect(`http://${target}`);
  const sessions = new Set<ServerHttp2Session>();
  const running = new Set<Promise<void>>();
  const server = createServer();
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    // The caller may have given up: whatever it does to the stream, the server is still to be reached.
    stream.on('error', () => {});
    const work = relay({ upstream, stream, headers, fault: faultOf(String(headers[':path'])), delayOf });
    running.add(work);
    void work.finally(() => running.delete(work));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    idle: async () => {
      while (running.size > 0) await Promise.all(running);
    },
    close: async () => {
      await Promise.all([...sessions].map((session) => once(session, 'close')));
      upstream.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Call {
  readonly upstream: ClientHttp2Session;
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  readonly fault: ProxyFault | undefined;
  readonly delayOf: DelayOf;
}

async function relay({ upstream, stream, headers, fault, delayOf }: Call): Promise<void> {
  const body = await readAll(stream);
  // Cut off by the caller before all of it was sent.
  if (!body) return;
  if (typeof fault === 'number') {
    refuse(stream, fault);
    return;
  }
  await pause(fault === 'stall' ? STALL_MS : delayOf());
  const answer = await forward(upstream, headers, body);
  await pause(delayOf());
  if (fault === 'lost') refuse(stream, UNAVAILABLE);
  else if (fault === 'reset') stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else reply(stream, answer);
}

async function forward(upstream: ClientHttp2Session, headers: IncomingHttpHeaders, body: Buffer): Promise<Answer> {
  // The caller's own deadline is left out: a call that has left the caller is applied, however late.
  const { 'grpc-timeout': _, ':authority': __, ...rest } = headers;
  const request = upstream.request(rest);
  let trailers: IncomingHttpHeaders | undefined;
  request.on('trailers', (received: IncomingHttpHeaders) => {
    trailers = received;
  });
  request.end(body);
  const [received] = (await once(request, 'response')) as [IncomingHttpHeaders];
  const answer = await readAll(request);
  return { headers: received, body: answer ?? Buffer.alloc(0), trailers };
}

function reply(stream: ServerHttp2Stream, { headers, body, trailers }: Answer): void {
  if (stream.destroyed) return;
  if (!trailers) {
    stream.respond(outgoing(headers), { endStream: true });
    return;
  }
  stream.on('wantTrailers', () => stream.sendTrailers(outgoing(trailers)));
  stream.respond(outgoing(headers), { waitForTrailers: true });
  stream.end(body);
}

function refuse(stream: ServerHttp2Stream, status: number): void {
  if (stream.destroyed) return;
  const headers = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': String(status) };
  stream.respond(headers, { endStream: true });
}

function outgoing(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return { ...headers };
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of stream) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch {
    return undefined;
  }
}
