import type { OpenRoute } from '../http/route';
import type { Site } from './site/site';
import { wantsPage } from './site/wants-page';

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
