import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** A request, down to a target and methods that `fetch` would refuse or rewrite. */
export interface RawRequest {
  readonly method: string;
  /** The request target, as it is. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Pieces are sent each as a chunk of its own. */
  readonly body?: string | Uint8Array | readonly Buffer[];
}

export type RawReply = Awaited<ReturnType<typeof sendRaw>>;

/** Sends one request without any of a client's help; rejects when no reply comes. */
export async function sendRaw(baseUrl: string, { method, path, headers, body }: RawRequest) {
  const { hostname, port } = new URL(baseUrl);
  const sent = request({ hostname, port, method, path, headers: { ...headers }, agent: false });
  // The service may answer, and close, before it has read the whole body.
  sent.on('error', () => undefined);
  if (Array.isArray(body)) for (const piece of body) sent.write(piece);
  sent.end(Array.isArray(body) ? undefined : body);
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: reply.statusCode ?? 0, headers: reply.headers, text: await text(reply) };
}
