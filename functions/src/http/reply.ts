import type { ServerResponse } from 'node:http';
import { isRefusal, type Refusal, statusOf } from '../errors';
import type { Clock } from '../lib/clock';
import { EventStream, type EventWriter, type StreamHead } from './event-stream';
import { type StaticReply, sendStatic } from './static-reply';
import { closeUnlessTaken } from './unread';

type Headers = Readonly<Record<string, string>>;

export const JSON_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

export interface JsonReply<Body = object> {
  readonly body: Body;
  /** Default: 200. */
  readonly status?: number;
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

/** A 202 without a body: what was sent is taken, and asks for no reply. */
export interface AcceptedReply {
  readonly isAccepted: true;
}

export type Reply<Body = object> =
  | JsonReply<Body>
  | JsonTextReply
  | StaticReply
  | StreamReply
  | AcceptedReply
  | Refusal;

/** Sends a reply; one in one piece only while the client is there and no other is on its way. */
export async function sendReply(
  res: ServerResponse,
  reply: Reply,
  { clock, bodyOf }: { readonly clock: Clock; readonly bodyOf: (refusal: Refusal) => object },
): Promise<void> {
  if (isRefusal(reply)) sendJson(res, statusOf(reply.code), { ...reply, body: bodyOf(reply) });
  else if ('body' in reply) sendJson(res, reply.status ?? 200, reply);
  else if ('isAccepted' in reply) sendNothing(res);
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

function sendNothing(res: ServerResponse): void {
  if (!res.headersSent && !res.destroyed) res.writeHead(202, { 'content-length': 0 }).end();
}

function sendText(res: ServerResponse, status: number, json: string, headers?: Headers): void {
  if (res.headersSent || res.destroyed) return;
  res.writeHead(status, { ...headers, ...JSON_HEADERS, 'content-length': Buffer.byteLength(json) });
  // As a text it leaves together with the head.
  res.end(json);
}
