/*
 * The composition root of both doors, the command line and the tests: makes what the settings name and puts it together.
 * May import everything below; decides nothing.
 */
import { join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { ServerBudget } from './access/budget';
import { firebaseChecks, firebaseSignIn } from './access/firebase-sign-in';
import { createGuard } from './access/guard';
import { createLimiter, RequestBucket } from './access/limiter';
import { derivedSecret } from './access/peppers';
import { API_LIMIT, type RateLimit } from './access/rate-limit';
import type { Sessions } from './access/sign-in';
import { ReplyTimes } from './api/answer/reply-times';
import { pageConfigRoute } from './api/dashboard/account';
import { sharedRunRoute } from './api/dashboard/shared-runs';
import type { DashboardDeps, EndpointDeps } from './api/deps';
import { health, home } from './api/open';
import { openApi } from './api/openapi/document';
import { accountRoutes, keyRoutes } from './api/operations';
import { suggestionsOf } from './api/shared/suggestions';
import { docs, openSite } from './api/site/site';
import { createPdfReader } from './byok/pdf-text';
import type { Config } from './config';
import { AnswerTimes } from './ensemble/deadline/answer-times';
import { refuse } from './errors';
import { createApp } from './http/app';
import { createBodyReader } from './http/body';
import { idempotentRoutes } from './http/idempotent-route';
import { localSignIn } from './http/local-sign-in';
import { createRouteTable } from './http/route-table';
import { ByteBudget } from './lib/byte-budget';
import { type Clock, systemClock } from './lib/clock';
import { FairSlots } from './lib/fair-slots';
import { lazy } from './lib/lazy';
import { createLog, type Log } from './lib/log';
import { OpenWork } from './lib/open-work';
import { Turns } from './lib/turns';
import { createCatalog, type ProviderId } from './models/catalog';
import { createGateway } from './models/gateway/gateway';
import { outputTurns } from './models/gateway/run-output';
import type { ModelProvider } from './models/model';
import { modelPolicy, servedModels } from './models/model-policy';
import { type OfferedModels, offeredModels } from './models/offered-models';
import { withOwnServer } from './models/own-server';
import { SUGGESTED_PROMPTS } from './providers/demo/topics/topics';
import { createOpenAiProvider } from './providers/openai/openai';
import { routerKeyCheck } from './providers/openai/router-key-check';
import { keptModels } from './providers/openai/server-models';
import { createProviderTable } from './providers/provider-table';
import { followProxies } from './providers/transport/proxies';
import { createTellUnpriced, OPEN_RUNS_MAX } from './runs/admit';
import { KeptRuns } from './runs/kept-runs';
import { readLastStudy } from './store/last-study-file';
import { keyRingOf, openStore, peppersOf } from './store/open-store';
import type { Store } from './store/store';
import { providerField } from './telemetry/call-metrics';

/** Shares of the heap, which Node fits to its container: unread bodies and what runs show their models … */
const MEMORY_SHARE = 1 / 2;
/** … and what models write. The rest is for what is yet to be collected. */
const MODEL_OUTPUT_SHARE = 1 / 8;

/** A heavy piece of work is followed by so many times its length for everything else … */
const REST_SHARE = 2;
/** … but no more than this: where the processor is shared, the time that a piece took tells little of its work. */
const REST_MAX_MS = 50;

/** Per user (`docs/api.md`, Limits): runs of the bring-your-own-key plan have a limit of their own. */
const BYOK_LIMIT: RateLimit = { name: 'byok', max: 10, windowMs: 60_000 };

/** The list of the router, and that of a server of one's own, for which a page waits. */
const ROUTER_LIST_TIMES = { maxMs: 10_000, freshMs: 10 * 60_000 };
const OWN_LIST_TIMES = { maxMs: 3_000, freshMs: 30_000, retryMs: 10_000 };

/** User of a server on somebody's own machine; `npm start` makes this user. */
const LOCAL_USER = 'demo';

/** Pages of a checkout, seen from `lib/`. A deployment has none: there Hosting serves them. */
const SITE_DIRECTORY = join(__dirname, '../../dashboard/dist');

export type Services = ReturnType<typeof createServices>;

/** Parts that tests replace; `openWork` is the process's own, where that can be told to end. */
export interface Overrides {
  readonly clock?: Clock;
  readonly providers?: Partial<Record<ProviderId, ModelProvider>>;
  readonly store?: Store;
  readonly log?: Log;
  /** Bytes that unread bodies and runs may hold together; default: half of the heap. */
  readonly memoryBytes?: number;
  readonly openWork?: OpenWork;
  readonly sessions?: Sessions;
  readonly siteDirectory?: string;
}

export function createServices(config: Config, overrides: Overrides = {}) {
  followProxies(config.proxies);
  const clock = overrides.clock ?? systemClock;
  const log = overrides.log ?? logOf(config);
  const openWork = overrides.openWork ?? new OpenWork();
  const store = overrides.store ?? openStore(config);
  const peppers = peppersOf(config, clock);
  const limiter = createLimiter(store, { ...API_LIMIT, max: config.requestsPerMinute }, clock);
  const serverBudget = new ServerBudget(store, clock);
  const guard = createGuard({ store, limiter, serverBudget, clock, keyPrefix: config.keyPrefix, peppers, log });
  const memory = new ByteBudget(overrides.memoryBytes ?? heapBytes(MEMORY_SHARE));
  const heavyWork = new Turns(clock, (tookMs) => Math.min(REST_MAX_MS, REST_SHARE * tookMs));
  const offered = modelsOf(config, { clock, log, providers: overrides.providers ?? {} });
  const sessions = overrides.sessions ?? sessionsOf(config, clock);
  const { stopping } = openWork;
  const deps = {
    ...offered,
    ...{ guard, memory, heavyWork, store, clock, log, stopping, peppers, serverBudget },
    openRuns: new FairSlots(Number.POSITIVE_INFINITY, { ownMax: OPEN_RUNS_MAX }),
    modelOutput: { memory: new ByteBudget(heapBytes(MODEL_OUTPUT_SHARE)), pace: outputTurns(clock) },
    keptRuns: new KeptRuns({ store, memory, clock, log, openWork, ...config.runsKept }),
    tellUnpriced: createTellUnpriced(log),
    replyTimes: new ReplyTimes(),
    labelKey: derivedSecret(peppers, 'evaluation layout'),
    turnKey: derivedSecret(peppers, 'user turn'),
  } satisfies EndpointDeps & Partial<DashboardDeps>;
  const account = accountOf(config, { ...deps, ...sessions });
  const secret = derivedSecret(peppers, 'idempotency');
  const idempotent = idempotentRoutes({ store, memory, guard, clock, log, secret, stopping });
  const { users, secret: token, page, url } = config.dashboard;
  const isOn = users !== 'nobody';
  const site = users === 'local' ? openSite(overrides.siteDirectory ?? SITE_DIRECTORY, token) : undefined;
  const routes = keyRoutes(deps, idempotent);
  const ofAccount = isOn ? accountRoutes(account) : [];
  const pageConfig = { ...page, ...(!config.runLinks && { runLinks: false }) };
  const ofPages = isOn ? [pageConfigRoute(pageConfig), sharedRunRoute(account)] : [];
  const openRoutes = [home({ site, url }), ...health(deps), openApi(), ...ofPages];
  const app = createApp({
    findRoute: createRouteTable({
      routes,
      openRoutes: [...openRoutes, ...docs(), ...(site?.routes ?? [])],
      accountRoutes: ofAccount,
      unknownPage: site?.unknownPage,
      hosting: config.dashboard.hosting,
    }),
    accountGate: {
      signIn: sessions.signIn,
      bucket: new RequestBucket(clock),
      clock,
      behindPlatform: config.cloud !== undefined,
    },
    dashboardOrigins: config.dashboard.origins,
    corsOrigins: config.corsOrigins,
    readBody: createBodyReader(memory, clock, heavyWork),
    ...{ guard, clock, log, openWork },
  });
  const { catalog } = offered;
  const listed = [...routes, ...openRoutes.map(({ path }) => ({ method: 'GET', path })), ...ofAccount];
  return { config, store, clock, log, memory, peppers, guard, catalog, offered, app, routes: listed, account };
}

export function logOf({ logLevel, logFormat, cloud }: Config): Log {
  const format = logFormat ?? (process.stdout.isTTY ? 'text' : 'json');
  return createLog(logLevel, undefined, { format, cloud, nowMs: systemClock.nowMs });
}

function heapBytes(share: number): number {
  return getHeapStatistics().heap_size_limit * share;
}

function modelsOf(
  config: Config,
  { clock, log, providers }: Pick<Required<Overrides>, 'clock' | 'log' | 'providers'>,
): Pick<EndpointDeps, 'gateway' | 'catalog' | 'answerTimes' | 'modelChoice'> & OfferedModels {
  const { openai } = config.providers;
  const ownList = openai?.baseUrl === undefined ? undefined : keptModels(openai, OWN_LIST_TIMES, clock);
  const { catalog, choiceOf } = withOwnServer(createCatalog(config.models, config), ownList);
  const unserved = servedModels({ ...config, providers: { ...config.providers, ...providers } }, catalog);
  const offered = offeredModels(catalog, { ...config, modelFlaw: modelPolicy(config, clock), unserved });
  const knownModels = [...catalog.rows, ...offered.offeredModels];
  const gateway = createGateway({
    clock,
    provider: createProviderTable(config.providers, clock, new Map(Object.entries(providers))),
    callsAt: (id) => config.providers[id]?.concurrency,
    knownModels,
    onUnavailable: ({ id, provider }) => log.warn('model unavailable', { modelId: id, ...providerField(provider) }),
  });
  return { ...offered, catalog, gateway, answerTimes: new AnswerTimes(), modelChoice: () => choiceOf(offered) };
}

/** Sign-in of the dashboard's users, and the end of their sessions where they have any; where it is off, nobody can. */
function sessionsOf({ dashboard: { users, secret, appCheck }, firestore }: Config, clock: Clock): Sessions {
  if (users === 'local') return { signIn: localSignIn(LOCAL_USER, secret, clock) };
  if (users === 'nobody') return { signIn: async () => refuse('not_signed_in') };
  const checks = firebaseChecks(firestore.projectId);
  const endSessions = async (userId: string) => (await checks()).endSessions(userId);
  return { signIn: firebaseSignIn({ checks, appCheck }), endSessions };
}

type Shared = EndpointDeps &
  Pick<DashboardDeps, 'peppers' | 'endSessions'> & {
    readonly store: Store;
    readonly serverBudget: ServerBudget;
  };

/** Parts that the dashboard's routes work with. The key ring is looked for, or made, on its first use. */
function accountOf(config: Config, deps: Shared) {
  const { store, clock, log } = deps;
  const { routerBaseUrl: baseUrl, requestsPerMinute } = config;
  // Without a ring nothing else is hindered: saving a router key refuses, and so does a run that needs one.
  const keyRing = lazy(() => keyRingOf(config, clock));
  return {
    ...deps,
    keyPrefix: config.keyPrefix,
    runLinks: config.runLinks,
    requestsPerMinute,
    limits: { api: { ...API_LIMIT, max: requestsPerMinute }, byok: BYOK_LIMIT },
    get keyRing() {
      return keyRing();
    },
    limiter: createLimiter(store, BYOK_LIMIT, clock),
    filesLimiter: createLimiter(store, { ...BYOK_LIMIT, name: 'files' }, clock),
    routerProvider: (apiKey: string) => createOpenAiProvider({ apiKey, baseUrl }, 'router'),
    routerCatalog: keptModels({ baseUrl }, ROUTER_LIST_TIMES, clock),
    checkRouterKey: routerKeyCheck(baseUrl, clock),
    readPdf: createPdfReader(clock),
    suggestions: suggestionsOf(deps, SUGGESTED_PROMPTS),
    readLastStudy: () => readLastStudy(config.studyFile, log),
  };
}
