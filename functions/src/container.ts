import type { PlaygroundDesk } from './account/playground';
import type { RouterModelDesk } from './account/router-models';
import type { KeyRing } from './byok/key-ring';
import { type Config, readConfig } from './config';
import { chatCompletions } from './endpoints/chat-completions';
import { evaluations } from './endpoints/evaluations';
import { models } from './endpoints/models';
import { responses } from './endpoints/responses';
import type { Services } from './endpoints/services';
import { usage } from './endpoints/usage';
import { AnswerTimes } from './ensemble/answer-times';
import { derivedSecret, type Pepper, parsePeppers } from './guard/api-key';
import { createGuard } from './guard/guard';
import { createLimiter } from './guard/limiter';
import { type App, createApp } from './http/app';
import { type Clock, systemClock } from './lib/clock';
import { createLog, type Log } from './lib/log';
import { readPdf } from './lib/pdf-text';
import {
  type BuiltInProvider,
  type Catalog,
  createCatalog,
  endpointNameOf,
  isEndpoint,
  type ModelRow,
  type ProviderId,
} from './models/catalog';
import { createGateway } from './models/gateway';
import { ModelFault, type ModelProvider } from './models/model';
import { createAnthropicProvider } from './providers/anthropic';
import { demoScript } from './providers/demo-script';
import { createGoogleProvider } from './providers/google';
import { createOpenAiProvider } from './providers/openai';
import { createRouterCatalog } from './providers/router-catalog';
import { createScriptedProvider } from './providers/scripted';
import { openEmbeddedStore } from './store/embedded/embedded-store';
import { localKeyRing, localPepper } from './store/embedded/local-secrets';
import { openFirestoreStore } from './store/firestore/firestore-store';
import type { RateLimit, Store } from './store/store';
import type { Housekeeping } from './usage/housekeeping';

/** The API's limit: 30 requests in any 60 seconds per user (spec "Limits"). */
const API_LIMIT: RateLimit = { plan: 'api', max: 30, windowMs: 60_000 };
/** Runs of the bring-your-own-key plan have a limit of their own: 10 in any 60 seconds per user (spec "Limits"). */
const BYOK_LIMIT: RateLimit = { plan: 'byok', max: 10, windowMs: 60_000 };
/** Between two pieces of a demo answer: fast enough not to bore, slow enough to be seen streaming. */
const DEMO_PIECE_DELAY_MS = 8;

/** The parts that the function, the CLI and the tests put together. */
export interface Container {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly peppers: readonly Pepper[];
  readonly catalog: Catalog;
  readonly app: App;
  /** What the dashboard works with: router key, router models, and runs of the playground. */
  readonly account: PlaygroundDesk & RouterModelDesk & { readonly store: Store };
}

/** What tests replace: time, and providers behind ids. */
export interface Overrides {
  readonly clock?: Clock;
  readonly providers?: Partial<Record<ProviderId, ModelProvider>>;
  readonly store?: Store;
  readonly log?: Log;
}

/** The composition root: picks the adapters; nothing else does. Opens the store. */
export function createContainer(config: Config = readConfig(process.env), overrides: Overrides = {}): Container {
  const clock = overrides.clock ?? systemClock;
  const log = overrides.log ?? logOf(config);
  const store = overrides.store ?? openStore(config);
  const peppers = peppersOf(config, clock);
  const limiter = createLimiter(store, API_LIMIT, clock);
  const guard = createGuard({ store, limiter, clock, keyPrefix: config.keyPrefix, peppers });
  const gateway = createGateway({
    clock,
    provider: providerTable(config, { clock, ...overrides }),
    onUnavailable: (modelId) => log.modelUnavailable(modelId),
  });
  const catalog = createCatalog(config.models);
  const services: Services = {
    guard,
    gateway,
    answerTimes: new AnswerTimes(),
    store,
    clock,
    log,
    catalog,
    layoutKey: derivedSecret(peppers, 'evaluation layout'),
    ...defaults(config, catalog),
  };
  const routes = [
    chatCompletions(services),
    responses(services),
    evaluations(services),
    usage(services),
    models(services),
  ];
  const app = createApp({ routes, guard, clock, log, corsOrigins: config.corsOrigins });
  return { config, store, clock, log, peppers, catalog, app, account: accountOf(config, { ...services, store }) };
}

function logOf({ logLevel, cloudProject }: Config): Log {
  return createLog(logLevel, undefined, cloudProject);
}

/** The dashboard's part. The key ring is looked for, or made, only when somebody needs one. */
function accountOf(config: Config, services: Services & { readonly store: Store }): Container['account'] {
  const { store, clock } = services;
  const baseUrl = config.routerBaseUrl;
  let keyRing: KeyRing | undefined;
  return {
    ...services,
    get keyRing() {
      keyRing ??= keyRingOf(config, clock);
      return keyRing;
    },
    limiter: createLimiter(store, BYOK_LIMIT, clock),
    routerProvider: (apiKey) => createOpenAiProvider({ apiKey, baseUrl }),
    routerCatalog: createRouterCatalog({ baseUrl, clock }),
    readPdf,
  };
}

/** What the scheduled functions need: no API keys, no models, and so none of the secrets. */
export function createHousekeeping(config: Config = readConfig(process.env)): Housekeeping {
  return { store: openStore(config), clock: systemClock, log: logOf(config) };
}

function openStore({ store, dataDirectory, firestore }: Config): Store {
  if (store === 'embedded') return openEmbeddedStore({ directory: dataDirectory });
  return openFirestoreStore({ projectId: firestore.projectId, limiterTime: 'server' });
}

/** All processes must hash keys alike; only where they share a directory can the store itself keep the secret. */
function peppersOf({ peppers, store, dataDirectory, firestore }: Config, clock: Clock): readonly Pepper[] {
  if (peppers.length > 0) return peppers;
  if (store === 'embedded') return [localPepper(dataDirectory, clock)];
  if (firestore.emulated) return parsePeppers('for the emulator only');
  throw new Error('KEY_PEPPER must be set: with STORE=firestore API keys cannot be hashed without it');
}

/** Without a ring nothing else is hindered: saving a router key refuses, and so does a run that needs one. */
function keyRingOf({ routerKeyRing, store, dataDirectory }: Config, clock: Clock): KeyRing {
  return routerKeyRing.length === 0 && store === 'embedded' ? localKeyRing(dataDirectory, clock) : routerKeyRing;
}

/** Providers by id, each made on first use; one that is not configured fails its calls and nothing else. */
function providerTable(
  config: Config,
  { clock, providers }: Overrides & { clock: Clock },
): (id: ProviderId) => ModelProvider {
  const made = new Map<ProviderId, ModelProvider>(Object.entries(providers ?? {}) as [ProviderId, ModelProvider][]);
  const make: Readonly<Record<BuiltInProvider | 'router', () => ModelProvider>> = {
    openai: () => (config.openai ? createOpenAiProvider(config.openai) : notConfigured),
    anthropic: () => (config.anthropic ? createAnthropicProvider(config.anthropic) : notConfigured),
    google: () => (config.google ? createGoogleProvider(config.google) : notConfigured),
    // With whose key? Only a run of its own user makes one.
    router: () => notConfigured,
    scripted: () => createScriptedProvider({ clock, script: demoScript, pieceDelayMs: DEMO_PIECE_DELAY_MS }),
  };
  const endpoint = (name: string): ModelProvider => {
    const access = config.endpoints[name];
    return access ? createOpenAiProvider(access) : notConfigured;
  };
  return (id) => {
    const provider = made.get(id) ?? (isEndpoint(id) ? endpoint(endpointNameOf(id)) : make[id]());
    made.set(id, provider);
    return provider;
  };
}

const notConfigured: ModelProvider = {
  run: () => Promise.reject(new ModelFault('not_configured')),
};

/**
 * Panel and arbiter where nobody named one: a cheap capable model of each configured provider and the first model of
 * each endpoint, else the demo models.
 */
const DEFAULT_MODELS = { openai: 'gpt-5.4-mini', anthropic: 'claude-haiku-4-5', google: 'gemini-2.5-flash' } as const;
const DEFAULT_PANEL_SIZE = 3;

function defaults(config: Config, catalog: Catalog): Pick<Services, 'defaultModel' | 'defaultPanel' | 'models'> {
  const configured = (['openai', 'anthropic', 'google'] as const).filter((id) => config[id] !== null);
  const real = [...configured.map((id) => DEFAULT_MODELS[id]), ...firstOfEachEndpoint(catalog)];
  const own = real.length > 0 ? real : catalog.rows.filter(isDemo).map(({ id }) => id);
  const defaultModel = config.defaultModel ?? own[0] ?? 'demo-ada';
  const panel = own.length > 1 ? own : Array.from({ length: DEFAULT_PANEL_SIZE }, () => defaultModel);
  const defaultPanel = config.defaultPanel.length > 0 ? config.defaultPanel : panel;
  const rows = catalog.rows.filter((row) => (isDemo(row) ? real.length === 0 : isListed(row, config, catalog)));
  const named = [defaultModel, ...defaultPanel].map(catalog.modelOf);
  return { defaultModel, defaultPanel, models: uniqueById([...rows, ...named]) };
}

function firstOfEachEndpoint({ rows }: Catalog): string[] {
  const served = rows.filter(({ provider }) => isEndpoint(provider));
  const isFirst = (row: ModelRow): boolean => served.find(({ provider }) => provider === row.provider) === row;
  return served.filter(isFirst).map(({ id }) => id);
}

function isDemo({ provider }: ModelRow): boolean {
  return provider === 'scripted';
}

/** A custom base URL may serve anything: of its provider only the models named in the settings are listed. */
function isListed({ id, provider }: ModelRow, config: Config, catalog: Catalog): boolean {
  if (provider === 'scripted' || isEndpoint(provider)) return true;
  if (provider === 'router') return false;
  return config[provider] !== null && (config[provider].baseUrl === undefined || catalog.overridden.has(id));
}

function uniqueById(rows: readonly ModelRow[]): ModelRow[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
