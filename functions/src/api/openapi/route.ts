/*
 * `GET /v1/openapi.json`: what the endpoints take and give, for machines. Imports the schemas of all endpoints; no endpoint
 * imports anything of it.
 */
import type { OpenRoute } from '../../http/route';
import { type StaticReply, staticReply } from '../../http/static-reply';
import { openApiDocument } from './document';

/** `GET /v1/openapi.json`, made when it is first asked for. */
export function openApi(): OpenRoute {
  let reply: StaticReply | undefined;
  return {
    path: '/v1/openapi.json',
    handle: async () => {
      reply ??= staticReply(Buffer.from(JSON.stringify(openApiDocument())), 'application/json; charset=utf-8');
      return reply;
    },
  };
}
