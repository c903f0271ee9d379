import type { OpenRoute } from '../http/route';

/** `GET /`: where the API is, for whoever opens the address alone. */
export const HOME: OpenRoute = {
  path: '/',
  handle: async () => ({
    body: { name: 'Ensemble API', base_url: '/v1', health: '/healthz', docs: '/docs', openapi: '/v1/openapi.json' },
  }),
};
