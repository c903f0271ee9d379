import type { IncomingMessage, ServerResponse } from 'node:http';
import { ACCOUNT_PATH } from './route-table';

const EXPOSED =
  'x-request-id, request-id, retry-after, www-authenticate, link, x-should-retry, idempotent-replayed, x-ratelimit-limit-requests, x-ratelimit-remaining-requests, x-ratelimit-reset-requests';
const PREFLIGHT_SECONDS = '7200';
const METHODS = 'GET, POST';
const DASHBOARD_METHODS = 'GET, POST, PUT, PATCH, DELETE';
const DASHBOARD_HEADERS = 'authorization, content-type, last-event-id, x-firebase-appcheck';

export interface CorsOrigins {
  readonly corsOrigins: readonly string[];
  /** Origins for the dashboard's routes: an origin that may use the API is not therefore trusted with an account. */
  readonly dashboardOrigins: readonly string[];
}

/** Sets the headers for other origins, none for one that is not listed; true when it has answered a preflight. */
export function answerCors(
  res: ServerResponse<IncomingMessage>,
  path: string,
  { corsOrigins, dashboardOrigins }: CorsOrigins,
): boolean {
  const isDashboard = path.startsWith(ACCOUNT_PATH);
  const origins = isDashboard ? dashboardOrigins : corsOrigins;
  const { origin } = res.req.headers;
  const any = origins.includes('*');
  if (!any) res.setHeader('vary', 'origin');
  const allowed = any ? '*' : origins.find((known) => known === origin);
  if (allowed !== undefined) {
    res.setHeader('access-control-allow-origin', allowed);
    res.setHeader('access-control-expose-headers', EXPOSED);
  }
  if (res.req.method !== 'OPTIONS') return false;
  res.setHeader('access-control-allow-methods', isDashboard ? DASHBOARD_METHODS : METHODS);
  res.setHeader('access-control-allow-headers', isDashboard ? DASHBOARD_HEADERS : apiHeaders(res.req));
  res.setHeader('access-control-max-age', PREFLIGHT_SECONDS);
  res.writeHead(204, { 'content-length': '0' }).end();
  return true;
}

/** SDKs send a handful of `x-stainless-*` headers; what is asked for is what is allowed. */
function apiHeaders(req: IncomingMessage): string {
  return req.headers['access-control-request-headers'] ?? 'authorization, content-type';
}
