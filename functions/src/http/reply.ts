import type { ServerResponse } from 'node:http';
import { errorBody, isRefusal, type Refusal, statusOf } from '../errors';
import type { Clock } from '../lib/clock';
import { EventStream, type EventWriter } from './event-stream';

type Headers = Readonly<Record<string, string>>;

/** A 200 with a JSON body in one piece. */
export interface JsonReply {
  readonly body: object;
  readonly headers?: Headers;
}

/** A 200 as server-sent events. */
export interface StreamReply {
  readonly headers: Headers;
  /** Writes all events; the stream is ended after it. Never rejects. */
  play(events: EventWriter): Promise<void>;
}

/** What an endpoint answers with. */
export type Reply = JsonReply | StreamReply | Refusal;

/** Sends a reply; one in one piece only when the client is still there and no other reply is on its way. */
export async function sendReply(res: ServerResponse, reply: Reply, clock: Clock): Promise<void> {
  if (isRefusal(reply))
    return sendJson(res, statusOf(reply.code), { ...reply, body: errorBody(reply.code, reply.text) });
  if ('body' in reply) return sendJson(res, 200, reply);
  const events = new EventStream(res, clock, reply.headers);
  await reply.play(events);
  events.end();
}

function sendJson(res: ServerResponse, status: number, { body, headers }: JsonReply): void {
  if (res.headersSent || res.destroyed) return;
  const bytes = Buffer.from(JSON.stringify(body));
  res.writeHead(status, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  res.end(bytes);
}
