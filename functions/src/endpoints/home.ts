import type { OpenRoute, RequestHeaders } from '../http/route';
import type { Site } from './site/site';

/**
 * `GET /`: for a browser the dashboard, where this server has its pages; for a program a line of JSON that says where the
 * API is.
 */
export function home(site?: Site): OpenRoute {
  const body = {
    name: 'Ensemble API',
    base_url: '/v1',
    health: '/healthz',
    docs: '/docs',
    openapi: '/v1/openapi.json',
    ...(site && { dashboard: '/keys' }),
  };
  return {
    path: '/',
    handle: async (_query, headers) => (site && wantsPage(headers) ? site.page() : { body }),
  };
}

/** Browsers name HTML when they open an address; no SDK and no `curl` does. */
function wantsPage({ accept = '' }: RequestHeaders): boolean {
  return accept.includes('text/html');
}
