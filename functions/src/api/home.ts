import * as z from 'zod';
import type { OpenRoute } from '../http/route';
import { mapOf, named } from '../lib/reply-schemas';
import type { Described } from './shared/operation';
import type { Site } from './site/site';
import { wantsPage } from './site/site';

export const getHome: Described = {
  at: 'GET /',
  id: 'getHome',
  tag: 'Server',
  access: 'open',
  summary: 'Tell where the API is',
  reply: named('Home', () => mapOf(z.string(), 'Where to find what; each value but `name` is a path.')),
};

export const getDescription: Described = {
  at: 'GET /v1/openapi.json',
  id: 'getDescription',
  tag: 'Server',
  access: 'open',
  summary: 'This description',
  reply: named('Description', () => mapOf(z.unknown(), 'An OpenAPI 3.1 document.')),
};

/** Place of the dashboard: pages of this server, or the address of another that has them. */
interface Dashboard {
  readonly site?: Site | undefined;
  readonly url?: string | undefined;
}

/**
 * `GET /`: for a browser the dashboard, where this server has its pages; for a program, and where another server has them, a
 * line of JSON that says where the API and the dashboard are.
 */
export function home({ site, url }: Dashboard = {}): OpenRoute {
  const dashboard = site ? '/play' : url;
  const body = {
    name: 'Ensemble API',
    base_url: '/v1',
    health: '/health',
    docs: '/docs',
    openapi: '/v1/openapi.json',
    ...(dashboard !== undefined && { dashboard }),
  };
  return {
    path: '/',
    handle: async (...request) => (site && wantsPage(request[1]) ? site.page(...request) : { body }),
  };
}
