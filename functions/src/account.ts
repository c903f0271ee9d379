import { createLimiter } from './access/limiter';
import { API_LIMIT, type RateLimit } from './access/rate-limit';
import type { ServerBudget } from './access/server-budget';
import { keyRingOf } from './adapters';
import type { AccountDeps } from './api/dashboard/account-deps';
import type { StudyDeps } from './api/dashboard/study';
import type { EndpointDeps } from './api/endpoint-deps';
import type { PlaygroundDeps, Suggestions } from './api/playground/playground-deps';
import { createPdfReader } from './byok/pdf-text';
import type { Config } from './config';
import { lazy } from './lib/lazy';
import { SUGGESTED_PROMPTS } from './providers/demo/topics/topics';
import { createOpenAiProvider } from './providers/openai/openai';
import { createRouterCatalog } from './providers/openai/router-catalog';
import { readLastStudy } from './store/last-study-file';
import type { Store } from './store/store';

/** Per user (`docs/api.md`, Limits): runs of the bring-your-own-key plan have a limit of their own. */
const BYOK_LIMIT: RateLimit = { name: 'byok', max: 10, windowMs: 60_000 };

/** The slow demo model is given up so long after most of the others have answered. */
const DEMO_GRACE_SECONDS = 3;
/** A slow one that is given up, one that fails at first and answers when it is asked again, and one that dissents. */
const DEMO_PANEL = ['demo-ada', 'demo-slow', 'demo-unreliable', 'demo-dissenter'] as const;

/** What a first run is tried with: the models of the deployment, or those demo models that have something to show. */
function suggestionsOf({ catalog, defaultModel, defaultPanel }: EndpointDeps): Suggestions {
  const isScripted = (id: string): boolean => catalog.modelOf(id).provider === 'scripted';
  const scripted = [defaultModel, ...defaultPanel].every(isScripted);
  const participants = scripted ? DEMO_PANEL : defaultPanel;
  const grace = scripted && { graceSeconds: DEMO_GRACE_SECONDS };
  return { prompts: SUGGESTED_PROMPTS, participants, arbiter: defaultModel, ...grace, scripted };
}

/** What the dashboard works with. The key ring is looked for, or made, on its first use. */
export function accountOf(
  config: Config,
  services: EndpointDeps &
    Pick<AccountDeps, 'peppers' | 'endSessions'> & {
      readonly store: Store;
      readonly serverBudget: ServerBudget;
    },
): PlaygroundDeps & AccountDeps & StudyDeps & { readonly store: Store } {
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
    filesLimiter: createLimiter(store, { ...BYOK_LIMIT, name: 'files' }, clock),
    routerProvider: (apiKey) => createOpenAiProvider({ apiKey, baseUrl }, 'router'),
    routerCatalog: createRouterCatalog(baseUrl, clock),
    readPdf: createPdfReader(clock),
    suggestions: suggestionsOf(services),
    readLastStudy: () => readLastStudy(config.studyFile, services.log),
  };
}
