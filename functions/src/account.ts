import { keyRingOf } from './adapters';
import { readPdf } from './byok/pdf-text';
import type { Config } from './config';
import type { AccountDeps } from './endpoints/dashboard/account-deps';
import type { EndpointDeps } from './endpoints/endpoint-deps';
import type { PlaygroundDeps } from './endpoints/playground/playground';
import { createLimiter } from './guard/limiter';
import { API_LIMIT, type RateLimit } from './guard/rate-limit';
import type { ServerBudget } from './guard/server-budget';
import { lazy } from './lib/lazy';
import { createOpenAiProvider } from './providers/openai/openai';
import { createRouterCatalog } from './providers/openai/router-catalog';
import type { Store } from './store/store';

/** Per user (`docs/api.md`, Limits): runs of the bring-your-own-key plan have a limit of their own. */
const BYOK_LIMIT: RateLimit = { name: 'byok', max: 10, windowMs: 60_000 };

/** What the dashboard works with. The key ring is looked for, or made, on its first use. */
export function accountOf(
  config: Config,
  services: EndpointDeps &
    Pick<AccountDeps, 'peppers' | 'guard' | 'endSessions'> & {
      readonly store: Store;
      readonly serverBudget: ServerBudget;
    },
): PlaygroundDeps & AccountDeps & { readonly store: Store } {
  const { store, clock } = services;
  const baseUrl = config.routerBaseUrl;
  // Without a ring nothing else is hindered: saving a router key refuses, and so does a run that needs one.
  const keyRing = lazy(() => keyRingOf(config, clock));
  return {
    ...services,
    keyPrefix: config.keyPrefix,
    requestsPerMinute: config.requestsPerMinute,
    limits: { api: { ...API_LIMIT, max: config.requestsPerMinute }, byok: BYOK_LIMIT },
    get keyRing() {
      return keyRing();
    },
    limiter: createLimiter(store, BYOK_LIMIT, clock),
    routerProvider: (apiKey) => createOpenAiProvider({ apiKey, baseUrl }),
    routerCatalog: createRouterCatalog(baseUrl, clock),
    readPdf,
  };
}
