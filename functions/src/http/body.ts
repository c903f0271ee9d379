import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { refuse } from '../errors';
import { framingOf, takeFraming } from './framing';
import { jsonExcess } from './json-limits';

/** The largest body we parse. */
const BODY_BYTES_MAX = 4 * 1024 * 1024;
/** A larger body is read and dropped up to here, so that a client that writes before it reads sees the 413. */
const DRAIN_BYTES_MAX = 32 * 1024 * 1024;

/**
 * Keeps request bodies away from the Functions Framework, for the whole process. It would parse them before any key is
 * checked: malformed JSON gets an HTML 400, and a 194 KB gzip bomb 1 GB of memory (ADR 3). Without the headers that
 * announce a body its parsers find nothing to do, and we read the stream ourselves, once the caller is known. Odd request
 * targets are kept from it likewise.
 */
export function keepBodiesFromFramework(): void {
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage };
    takeFraming(request);
    request.url = targetForFramework(request.url ?? '/');
  });
}

/** Reads a JSON body; anything wrong with it is a refusal. Rejects when the client leaves while sending it. */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return refuse('unsupported_encoding');
  const bytes = await readBytes(request);
  if (bytes === undefined) return refuse('payload_too_large');
  if (bytes.length === 0) return refuse('invalid_request', 'Invalid JSON: the body is empty');
  const excess = jsonExcess(bytes);
  if (excess !== undefined) return refuse('invalid_request', `Invalid JSON: ${excess}`);
  try {
    // Fatal: bytes that are no UTF-8 must not turn into replacement characters inside a prompt.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return refuse('invalid_request', 'Invalid JSON: the body could not be parsed');
  }
}

/** The whole body; undefined when it is too large. */
function readBytes(request: IncomingMessage): Promise<Buffer | undefined> {
  const { rawBody } = request as { rawBody?: unknown };
  if (Buffer.isBuffer(rawBody)) return Promise.resolve(rawBody.length > BODY_BYTES_MAX ? undefined : rawBody);
  const declared = Number(framingOf(request)['content-length'] ?? 0);
  if (declared > DRAIN_BYTES_MAX) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const gone = (): void => reject(new Error('the client went away while sending the body'));
    // Of one that is gone already no event will come.
    if (request.destroyed) return gone();
    let chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= BODY_BYTES_MAX) chunks.push(chunk);
      else chunks = [];
      if (size > DRAIN_BYTES_MAX) resolve(undefined);
    });
    request.once('end', () => resolve(size > BODY_BYTES_MAX ? undefined : Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', gone);
  });
}

/** The framework answers some targets itself, in HTML or with nothing: those are put so that they reach our own 404. */
function targetForFramework(url: string): string {
  if (!url.startsWith('/')) return URL.canParse(url) ? url : '/invalid-target';
  const path = url.split('?', 1)[0] ?? '';
  if (path === '/favicon.ico' || path === '/robots.txt') return `/.${path}`;
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return '/invalid-percent-encoding';
  }
}
