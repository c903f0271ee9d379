import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { errorBody, isRefusal, type Refusal, statusOf } from '../errors';
import type { Clock } from '../lib/clock';
import { closeUnlessTaken, EventStream, type EventWriter, type StreamHead } from './event-stream';

type Headers = Readonly<Record<string, string>>;

export const JSON_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

export interface JsonReply<Body = object> {
  readonly body: Body;
  readonly headers?: Headers;
}

/** A 200 whose body is JSON already: what was kept is sent without being taken apart. */
export interface JsonTextReply {
  readonly json: string;
  readonly headers?: Headers;
  /** Gives back the memory that the text holds; called once, when the reply has been sent or its client has left. */
  release(): void;
}

export interface StreamReply extends StreamHead {
  /** Writes all events; the stream is ended after it. Never rejects. */
  play(events: EventWriter): Promise<void>;
}

export type Reply<Body = object> = JsonReply<Body> | JsonTextReply | StaticReply | StreamReply | Refusal;

/** Sends a reply; one in one piece only while the client is there and no other is on its way. */
export async function sendReply(res: ServerResponse, reply: Reply, clock: Clock): Promise<void> {
  if (isRefusal(reply)) sendJson(res, statusOf(reply.code), { ...reply, body: errorBody(reply.code, reply.text) });
  else if ('body' in reply) sendJson(res, 200, reply);
  else if ('json' in reply) {
    if (res.closed) reply.release();
    else res.once('close', reply.release);
    sendText(res, 200, reply.json, reply.headers);
  } else if ('bytes' in reply) sendStatic(res, reply);
  else {
    const events = new EventStream(res, clock, reply);
    await reply.play(events);
    events.end();
  }
  if (!res.destroyed) closeUnlessTaken(res, clock);
}

function sendJson(res: ServerResponse, status: number, { body, headers }: JsonReply): void {
  sendText(res, status, JSON.stringify(body), headers);
}

function sendText(res: ServerResponse, status: number, json: string, headers?: Headers): void {
  if (res.headersSent || res.destroyed) return;
  res.writeHead(status, { ...headers, ...JSON_HEADERS, 'content-length': Buffer.byteLength(json) });
  // As a text it leaves together with the head.
  res.end(json);
}

/** A reply that is the same for everybody until the next release. */
export interface StaticReply {
  readonly status?: 200 | 303 | 404;
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Seconds for which a reply is fresh, where the headers say nothing else. */
const FRESH_SECONDS = 300;
const TAG_CHARACTERS = 22;

export function staticReply(bytes: Buffer, contentType: string, headers: StaticReply['headers'] = {}): StaticReply {
  const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, TAG_CHARACTERS);
  return {
    bytes,
    headers: {
      'cache-control': `public, max-age=${FRESH_SECONDS}`,
      ...headers,
      'content-type': contentType,
      'x-content-type-options': 'nosniff',
      etag: `"${tag}"`,
    },
  };
}

/** Sends it; to a client that has it already only that nothing has changed. */
function sendStatic(res: ServerResponse, { status = 200, bytes, headers }: StaticReply): void {
  if (res.headersSent || res.destroyed) return;
  const isHeld = status === 200 && holds(res.req.headers['if-none-match'], headers['etag']);
  res.writeHead(isHeld ? 304 : status, { ...headers, ...(!isHeld && { 'content-length': bytes.length }) });
  res.end(isHeld ? undefined : bytes);
}

/** The tag is quoted, so where it stands, alone, in a list or as a weak one, it is held. */
function holds(ifNoneMatch = '', etag = '*'): boolean {
  return ifNoneMatch === '*' || ifNoneMatch.includes(etag);
}

const REALM = 'Bearer realm="Ensemble API"';

/** The header `www-authenticate` of a 401 (RFC 6750); of a key that was sent well it tells nothing. */
export function challengeOf({ authorization, ...headers }: IncomingHttpHeaders): string {
  if (authorization === undefined) {
    const sent =
      'x-api-key' in headers || 'api-key' in headers ? 'the key is not read from x-api-key or api-key; ' : '';
    return invalid('invalid_request', `${sent}send it as Authorization: Bearer KEY`);
  }
  if (!/^bearer /i.test(authorization)) return invalid('invalid_request', 'Authorization must be Bearer KEY');
  return invalid('invalid_token', 'the key is none of this server, or has been revoked or expired');
}

/** The header `link` of a 401, relative to the path: the function may lie below a prefix that it does not see. */
export function linkToDocs(path: string): string {
  const folders = path.split('/').length - 2;
  return `<${'../'.repeat(folders)}docs>; rel="help"`;
}

function invalid(error: string, description: string): string {
  return `${REALM}, error="${error}", error_description="${description}"`;
}
