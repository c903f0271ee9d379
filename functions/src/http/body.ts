import type { IncomingMessage } from 'node:http';
import { refuse } from '../errors';
import { jsonExcess } from '../lib/json-limits';
import type { BodyReader } from './body-bytes';
import { declaredBytesOf } from './framing';

/** Reads a JSON body of a user's; anything wrong with it is a refusal. Rejects when the client leaves while sending it. */
export async function readJsonBody(reader: BodyReader, request: IncomingMessage, userId: string): Promise<unknown> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return refuse('unsupported_encoding');
  return reader.read({ request, declaredBytes: declaredBytesOf(request), userId }, parseBody);
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
