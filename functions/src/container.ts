import { join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { derivedSecret } from './access/api-key';
import { createGuard } from './access/guard';
import { createLimiter } from './access/limiter';
import { API_LIMIT } from './access/rate-limit';
import { RequestBucket } from './access/request-bucket';
import { ServerBudget } from './access/server-budget';
import type { Sessions } from './access/sign-in';
import { accountOf } from './account';
import { logOf, openStore, peppersOf, sessionsOf } from './adapters';
import { chatCompletions } from './api/chat-completions/route';
import { pageConfigRoute } from './api/dashboard/page-config';
import { accountRoutes } from './api/dashboard/routes';
import { docs } from './api/docs/docs';
import type { EndpointDeps } from './api/endpoint-deps';
import { evaluations } from './api/evaluations/route';
import { health } from './api/health';
import { home } from './api/home';
import { models, oneModel } from './api/models';
import { openApi } from './api/openapi/route';
import { responses } from './api/responses/route';
import { runEvents } from './api/runs/route';
import { openSite } from './api/site/site';
import { usage } from './api/usage';
import type { Billing } from './billing/project-and-log';
import type { StripeSettings } from './billing/stripe-settings';
import { type Config, readConfig } from './config';
import { AnswerTimes } from './ensemble/deadline/answer-times';
import { createApp } from './http/app';
import { createBodyReader } from './http/body-bytes';
import { idempotentRoutes } from './http/idempotent-route';
import { createRouteTable } from './http/route-table';
import type { Housekeeping } from './ledger/housekeeping';
import { ByteBudget } from './lib/byte-budget';
import { type Clock, systemClock } from './lib/clock';
import type { Log } from './lib/log';
import { OpenWork } from './lib/open-work';
import { Places } from './lib/places';
import { Turns } from './lib/turns';
import { createCatalog, type ProviderId } from './models/catalog';
import { createGateway } from './models/gateway/gateway';
import { outputTurns } from './models/gateway/run-output';
import type { ModelProvider } from './models/model';
import { modelPolicy } from './models/model-policy';
import { offeredModels } from './models/offered-models';
import { servedModels } from './models/served-models';
import { createProviderTable } from './providers/provider-table';
import { followProxies } from './providers/transport/proxies';
import { OPEN_RUNS_MAX } from './runs/admit';
import { KeptRuns } from './runs/kept-runs';
import { createTellUnpriced } from './runs/unpriced-models';
import { openStripeProjection } from './store/firestore/stripe-projection';
import type { Store } from './store/store';
import { providerField } from './telemetry/gen-ai';

/** Shares of the heap, which Node fits to its container: unread bodies and what runs show their models … */
const MEMORY_SHARE = 1 / 2;
/** … and what models write. The rest is for what is yet to be collected. */
const MODEL_OUTPUT_SHARE = 1 / 8;

/** A heavy piece of work is followed by so many times its length for everything else … */
const REST_SHARE = 2;
/** … but no more than this: where the processor is shared, the time that a piece took tells little of its work. */
const REST_MAX_MS = 50;

/** Of a checkout, seen from `lib/`. A deployment has none: there Hosting serves the pages. */
const SITE_DIRECTORY = join(__dirname, '../../dashboard/dist');

/** The parts that the function, the CLI and the tests put together. */
export type Container = ReturnType<typeof createContainer>;

/** What tests replace: time, providers behind ids, who is signed in. `openWork` is the process's own, where that can be told to end. */
export interface Overrides {
  readonly clock?: Clock;
  readonly providers?: Partial<Record<ProviderId, ModelProvider>>;
  readonly store?: Store;
  readonly log?: Log;
  /** What unread bodies and runs may hold together; default: half of the heap, which Node fits to its container. */
  readonly memoryBytes?: number;
  readonly openWork?: OpenWork;
  readonly sessions?: Sessions;
  /** Where the dashboard's pages are. */
  readonly siteDirectory?: string;
}

/** The composition root: picks the adapters; nothing else does. Opens the store. */
export function createContainer(config: Config = readConfig(process.env), overrides: Overrides = {}) {
  followProxies(config.proxies);
  const clock = overrides.clock ?? systemClock;
  const log = overrides.log ?? logOf(config);
  const openWork = overrides.openWork ?? new OpenWork();
  const store = overrides.store ?? openStore(config);
  const peppers = peppersOf(config, clock);
  const limiter = createLimiter(store, { ...API_LIMIT, max: config.requestsPerMinute }, clock);
  const serverBudget = new ServerBudget(store, clock);
  const guard = createGuard({ store, limiter, serverBudget, clock, keyPrefix: config.keyPrefix, peppers, log });
  const provider = createProviderTable(config.providers, clock);
  const catalog = createCatalog(config.models, config);
  const unserved = servedModels({ ...config, providers: { ...config.providers, ...overrides.providers } }, catalog);
  const offered = offeredModels(catalog, { ...config, modelFlaw: modelPolicy(config, clock), unserved });
  const gateway = createGateway({
    clock,
    provider: (id) => overrides.providers?.[id] ?? provider(id),
    callsAt: (id) => config.providers[id]?.concurrency,
    knownModels: [...catalog.rows, ...offered.offeredModels],
    onUnavailable: ({ id, provider }) => log.warn('model unavailable', { modelId: id, ...providerField(provider) }),
  });
  const memory = new ByteBudget(overrides.memoryBytes ?? getHeapStatistics().heap_size_limit * MEMORY_SHARE);
  const heavyWork = new Turns(clock, (tookMs) => Math.min(REST_MAX_MS, REST_SHARE * tookMs));
  const endpointDeps: EndpointDeps = {
    guard,
    openRuns: new Places(OPEN_RUNS_MAX),
    gateway,
    memory,
    heavyWork,
    modelOutput: {
      memory: new ByteBudget(getHeapStatistics().heap_size_limit * MODEL_OUTPUT_SHARE),
      pace: outputTurns(clock),
    },
    keptRuns: new KeptRuns({ store, memory, clock, log, openWork, ...config.runsKept }),
    answerTimes: new AnswerTimes([...catalog.rows, ...offered.offeredModels].map(({ id }) => id)),
    store,
    clock,
    log,
    tellUnpriced: createTellUnpriced(log),
    stopping: openWork.stopping,
    catalog,
    labelKey: derivedSecret(peppers, 'evaluation layout'),
    ...offered,
  };
  const { stopping } = openWork;
  const secret = derivedSecret(peppers, 'idempotency');
  const idempotent = idempotentRoutes({ store, memory, guard, clock, log, secret, stopping });
  const routes = [
    ...[chatCompletions(endpointDeps), responses(endpointDeps), evaluations(endpointDeps)].map(idempotent),
    runEvents(endpointDeps),
    usage(endpointDeps),
    models(endpointDeps),
    oneModel(endpointDeps),
  ];
  const { users, secret: token, page: pageConfig, url: dashboardUrl } = config.dashboard;
  const isDashboardOn = users !== 'nobody';
  const site = users === 'local' ? openSite(overrides.siteDirectory ?? SITE_DIRECTORY, token) : undefined;
  const ofPage = isDashboardOn ? [pageConfigRoute(pageConfig)] : [];
  const openRoutes = [home({ site, url: dashboardUrl }), ...health({ store, clock }), openApi(), ...ofPage];
  const sessions = overrides.sessions ?? sessionsOf(config, clock);
  const account = accountOf(config, { ...endpointDeps, ...sessions, peppers, store, serverBudget });
  const ofDashboard = isDashboardOn ? accountRoutes(account) : [];
  const app = createApp({
    findRoute: createRouteTable({
      routes,
      openRoutes: [...openRoutes, ...docs(), ...(site?.routes ?? [])],
      accountRoutes: ofDashboard,
      unknownPage: site?.unknownPage,
    }),
    accountGate: {
      signIn: sessions.signIn,
      bucket: new RequestBucket(clock),
      clock,
      behindPlatform: config.cloud !== undefined,
    },
    dashboardOrigins: config.dashboard.origins,
    hosting: config.dashboard.hosting,
    guard,
    clock,
    log,
    openWork,
    bodies: createBodyReader(memory, clock, heavyWork),
    corsOrigins: config.corsOrigins,
  });
  return {
    config,
    store,
    clock,
    log,
    memory,
    peppers,
    guard,
    catalog,
    offered,
    app,
    routes: [...routes, ...openRoutes.map(({ path }) => ({ method: 'GET', path })), ...ofDashboard],
    account,
  };
}

/** What the scheduled functions need: no API keys, no models, and so none of the secrets. */
export function createHousekeeping(config: Config = readConfig(process.env)): Housekeeping {
  return { store: openStore(config), clock: systemClock, log: logOf(config), tellsEverySweep: true };
}

/** What follows the subscriptions of Stripe needs: none of the secrets either. */
export function createBilling(stripe: StripeSettings, config: Config = readConfig(process.env)): Billing {
  const { project } = openStripeProjection(stripe, { projectId: config.firestore.projectId });
  return { project, log: logOf(config) };
}
