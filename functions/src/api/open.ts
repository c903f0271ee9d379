/* `GET /` and `GET /health`, which anybody may ask. */
import * as z from 'zod';
import type { SubscriptionStore } from '../access/subscription';
import { refuse } from '../errors';
import type { Reply } from '../http/reply';
import type { OpenRoute } from '../http/route';
import type { LedgerStore } from '../ledger/ledger-store';
import type { Clock } from '../lib/clock';
import { always, mapOf, named } from '../lib/reply-schemas';
import type { Described } from './shared/operation';
import { optional } from './shared/schemas';
import { type Site, wantsPage } from './site/site';

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
    ...{ openai_base_url: '/openai/v1', anthropic_base_url: '/anthropic', mcp: '/mcp' },
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

interface HealthDeps {
  readonly store: Pick<SubscriptionStore, 'getSubscription'> & Pick<LedgerStore, 'listExpired'>;
  readonly clock: Clock;
}

export const getHealth: Described = {
  at: 'GET /health',
  id: 'getHealth',
  tag: 'Server',
  access: 'open',
  summary: 'Tell whether the server is well',
  query: z.object({
    deep: optional(z.enum(['1']), '`1`: whether the books are up to date as well, for operators.'),
  }),
  reply: named('Health', () => z.object({ status: always('ok') })),
};

/** Nobody's: all that matters is that the store can say so. */
const NOBODY = 'health';
/** Anybody may ask: the store is asked this often at most. */
const FRESH_MS = 1_000;
const DEEP_FRESH_MS = 10_000;
/** Age from which records that the sweep leaves open need a look. */
const LATE_AFTER_MS = 3_600_000;

/**
 * `GET /health`: 200 while the store can be read, else 503. With `deep=1`, for operators, also 503 while requests stay
 * unsettled for an hour after their end, so that the books are behind. Also at `/healthz`, which Google's front end keeps for
 * itself at the addresses of Cloud Run.
 */
export function health({ store, clock }: HealthDeps): OpenRoute[] {
  const shallow = remembered(clock, FRESH_MS, async () => {
    await store.getSubscription(NOBODY);
    return { body: { status: 'ok' } };
  });
  const deep = remembered(clock, DEEP_FRESH_MS, async () => {
    const [late] = await store.listExpired(clock.nowMs() - LATE_AFTER_MS, 1);
    return late ? refuse('unhealthy', 'Requests stay unsettled for more than an hour') : { body: { status: 'ok' } };
  });

  const handle: OpenRoute['handle'] = async (query) => {
    try {
      return await (query.get('deep') === '1' ? deep() : shallow());
    } catch {
      return refuse('unhealthy', 'The store cannot be read');
    }
  };
  return ['/health', '/healthz'].map((path) => ({ path, handle }));
}

/** Asks at most once at a time, and not again for `freshMs`. */
function remembered(clock: Clock, freshMs: number, ask: () => Promise<Reply>): () => Promise<Reply> {
  let asked: { readonly atMs: number; readonly reply: Promise<Reply> } | undefined;
  return () => {
    const atMs = clock.monotonicMs();
    if (!asked || atMs - asked.atMs >= freshMs) asked = { atMs, reply: ask() };
    return asked.reply;
  };
}
