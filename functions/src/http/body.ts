import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { refuse } from '../errors';
import { jsonExcess } from '../lib/json-limits';
import { BODY_BYTES_MAX, type BodyReader } from './body-bytes';
import { framingOf, takeFraming } from './framing';
import { targetForFramework } from './request-target';

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

/** Reads a JSON body of a user's; anything wrong with it is a refusal. Rejects when the client leaves while sending it. */
export async function readJsonBody(reader: BodyReader, request: IncomingMessage, userId: string): Promise<unknown> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return refuse('unsupported_encoding');
  const { rawBody } = request as { rawBody?: unknown };
  if (Buffer.isBuffer(rawBody)) {
    return rawBody.length > BODY_BYTES_MAX ? refuse('payload_too_large') : parseBody(rawBody);
  }
  const declaredBytes = Number(framingOf(request)['content-length'] ?? 0);
  return reader.read({ request, declaredBytes, userId }, parseBody);
}

/** Fatal: bytes that are no UTF-8 must not turn into replacement characters inside a prompt. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return refuse('invalid_request', 'Invalid JSON: the body is empty');
  const excess = jsonExcess(bytes);
  if (excess !== undefined) return refuse('invalid_request', `Invalid JSON: ${excess}`);
  try {
    return JSON.parse(UTF_8.decode(bytes));
  } catch {
    return refuse('invalid_request', 'Invalid JSON: the body could not be parsed');
  }
}
