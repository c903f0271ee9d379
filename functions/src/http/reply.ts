import type { ServerResponse } from 'node:http';
import type { JsonReply } from '../endpoints/endpoint';
import { errorBody, type Refusal, statusOf } from '../errors';

/** Writes a JSON reply in one piece. Does nothing when the client has left or a reply is already on its way. */
export function sendJson(res: ServerResponse, reply: Omit<JsonReply, 'kind'>): void {
  if (res.headersSent || res.destroyed) return;
  const body = Buffer.from(JSON.stringify(reply.body));
  res.writeHead(reply.status, {
    ...reply.headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  res.end(body);
}

/** Writes a refusal in the spec's error shape. */
export function sendRefusal(res: ServerResponse, { code, text, headers }: Refusal): void {
  sendJson(res, { status: statusOf(code), body: errorBody(code, text), ...(headers && { headers }) });
}
