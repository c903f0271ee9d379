import { keyRingOf } from './adapters';
import { readPdf } from './byok/pdf-text';
import type { RouterModelDeps } from './byok/router-models';
import type { Config } from './config';
import type { EndpointDeps } from './endpoints/endpoint-deps';
import type { PlaygroundDeps } from './endpoints/playground/playground';
import { createLimiter } from './guard/limiter';
import type { RateLimit } from './guard/rate-limit';
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
  services: EndpointDeps & { readonly store: Store; readonly serverBudget: ServerBudget },
): PlaygroundDeps & RouterModelDeps & { readonly store: Store } {
  const { store, clock } = services;
  const baseUrl = config.routerBaseUrl;
  // Without a ring nothing else is hindered: saving a router key refuses, and so does a run that needs one.
  const keyRing = lazy(() => keyRingOf(config, clock));
  return {
    ...services,
    get keyRing() {
      return keyRing();
    },
    limiter: createLimiter(store, BYOK_LIMIT, clock),
    routerProvider: (apiKey) => createOpenAiProvider({ apiKey, baseUrl }),
    routerCatalog: createRouterCatalog(baseUrl, clock),
    readPdf,
  };
}
