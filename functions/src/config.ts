import { join, resolve } from 'node:path';
import { type Pepper, parsePeppers } from './access/peppers';
import { API_LIMIT, REQUESTS_PER_MINUTE_MAX } from './access/rate-limit';
import { dashboardSettings } from './api/dashboard/dashboard-settings';
import { stripeSettings } from './billing/stripe';
import { parseKeyRing } from './byok/secret-box';
import { virtualModel } from './ensemble/strategies/strategies';
import type { LogFormat, LogLevel } from './lib/log';
import { type Environment, SettingsReader } from './lib/settings-reader';
import { type BaseUrlProtocol, baseUrlFlaw, mendedBaseUrl } from './models/base-url';
import { endpointId } from './models/catalog';
import { type ModelSettings, parseEndpointKeys, parseModelOverrides } from './models/model-overrides';
import { PROTOCOLS, type ProviderSettings } from './providers/provider-table';
import { proxiesOf } from './providers/transport/proxies';

export type Config = ReturnType<typeof readConfig>;

/** Days at most: as long as the ledger. */
const RUNS_KEPT_DAYS_MAX = 400;
const RUNS_KEPT_MB_MAX = 100_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const MB = 1_000_000;

/** Sent to servers that need no key: the SDKs still want some. */
const NO_KEY = 'none';

const LOG_LEVELS: readonly LogLevel[] = ['silent', 'error', 'warn', 'info', 'debug'];
const LOG_FORMATS: readonly LogFormat[] = ['json', 'text'];

/** Reads the settings; throws a `SettingsError` with a line for each that cannot be used. */
export function readConfig(env: Environment) {
  const settings = new SettingsReader(env);
  const { text } = settings;
  const { models, providers } = modelSettings(settings);
  const defaultModel = text('DEFAULT_MODEL');
  const store = storeKind(env, settings);
  const projectId = text('GCLOUD_PROJECT') || 'demo-ensemble';
  const dataDirectory = resolve(text('DATA_DIR') || '.data');
  const config = Object.freeze({
    deployment: readDeployment(settings),
    /** Port of `npm start` and the container. In the Functions emulator `PORT` is the path of a socket. */
    port: env['FUNCTIONS_EMULATOR'] ? 0 : settings.wholeNumber('PORT', [1, 65_535], 8_080),
    models,
    /** Those that are configured, the endpoints of `MODEL_OVERRIDES` among them. */
    providers,
    /** True if the built-in `demo-*` models answer: only for trying the service, where there is nothing else to ask. */
    demoModels: Object.keys(providers).length === 0 && isForTrying(env, store),
    ...(defaultModel !== '' && { defaultModel }),
    defaultPanel: settings.list('DEFAULT_PANEL'),
    /** Patterns of model ids, `*` for any characters; none: every model may be asked for. */
    modelsAllowed: settings.list('MODELS_ALLOWED'),
    /** Treatment of a model of unknown price: it costs 0 in the ledger, or is not called. */
    unpriced: settings.oneOf('UNPRICED', ['allow', 'refuse'], 'allow'),
    requestsPerMinute: settings.wholeNumber('RATE_LIMIT_RPM', [1, REQUESTS_PER_MINUTE_MAX], API_LIMIT.max),
    /** Age at which the runs of a user are deleted, and packed bytes that are kept of them. */
    runsKept: {
      keptMs: settings.wholeNumber('RUNS_KEPT_DAYS', [0, RUNS_KEPT_DAYS_MAX], 30) * DAY_MS,
      keptBytes: settings.wholeNumber('RUNS_KEPT_MB', [1, RUNS_KEPT_MB_MAX], 200) * MB,
    },
    /** True if users may make links by which anybody reads a run of theirs. */
    runLinks: settings.oneOf('RUN_LINKS', ['on', 'off'], 'on') === 'on',
    /** The one router that users' own keys are for. */
    routerBaseUrl: baseUrlOf(settings, 'ROUTER_BASE_URL', 'openai') || 'https://openrouter.ai/api/v1',
    /** Newest first, as the peppers; empty when not set. */
    routerKeyRing: settings.attempt(() => parseKeyRing(settings.secret('ROUTER_KEY_SECRET')), []),
    proxies: settings.attempt(() => proxiesOf(env), {}),
    peppers: settings.attempt(() => peppers(settings.secret('KEY_PEPPER')), []),
    keyPrefix: settings.matching('API_KEY_PREFIX', /^[a-z0-9]{1,16}$/, '1 to 16 lowercase letters or digits') || 'ens',
    corsOrigins: settings.list('CORS_ORIGINS', '*'),
    dashboard: dashboardSettings(settings, { isHosted: store === 'firestore', projectId }),
    store,
    firestore: {
      projectId,
      /** Address of the emulator, `host:port`; empty: the real one. */
      emulatorHost: text('FIRESTORE_EMULATOR_HOST'),
    },
    dataDirectory,
    /** File with the summary of the last quality study, for the dashboard. */
    studyFile: resolve(text('STUDY_FILE') || join(store === 'embedded' ? dataDirectory : '.', 'study.json')),
    /** Set on Cloud Functions: where log lines are shown. */
    ...(text('K_SERVICE') !== '' && {
      cloud: { project: text('GCLOUD_PROJECT'), service: text('K_SERVICE'), version: text('K_REVISION') },
    }),
    /** A module that registers an OpenTelemetry SDK: a path seen from `functions/`, or a package. Empty: none. */
    telemetryModule: text('TELEMETRY_MODULE'),
    logLevel: settings.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    /** Not set: lines for people in a terminal, JSON elsewhere. */
    ...(text('LOG_FORMAT') !== '' && { logFormat: settings.oneOf('LOG_FORMAT', LOG_FORMATS, 'json') }),
  });
  settings.refuseFlaws();
  return config;
}

/** A server that needs no key (Ollama, vLLM) is configured by its URL alone. */
function builtInProviders(settings: SettingsReader): ProviderSettings {
  const rows = (['openai', 'anthropic', 'google'] as const).map((id) => {
    const { keyVariable, urlVariable } = PROTOCOLS[id];
    const [apiKey, baseUrl] = [settings.key(keyVariable), baseUrlOf(settings, urlVariable, id)];
    return [id, { apiKey: apiKey || NO_KEY, ...(baseUrl !== '' && { baseUrl }) }, apiKey || baseUrl] as const;
  });
  return Object.fromEntries(rows.filter(([, , configured]) => configured));
}

function endpointProviders(endpoints: ModelSettings['endpoints'], endpointKeys: string): ProviderSettings {
  const keys = parseEndpointKeys(endpointKeys, Object.keys(endpoints));
  return Object.fromEntries(
    Object.entries(endpoints).map(([name, endpoint]) => [
      endpointId(name),
      { apiKey: keys.get(name) ?? NO_KEY, ...endpoint },
    ]),
  );
}

/** The models of the deployment and who is asked for them. Keys of endpoints are looked at where those can be read. */
function modelSettings(settings: SettingsReader): Pick<ModelSettings, 'models'> & { providers: ProviderSettings } {
  const builtIn = builtInProviders(settings);
  const endpointKeys = settings.secret('ENDPOINT_KEYS');
  const read = settings.attempt(() => modelOverrides(settings.text('MODEL_OVERRIDES')), undefined);
  if (read === undefined) return { models: [], providers: builtIn };
  const ofEndpoints = settings.attempt(() => endpointProviders(read.endpoints, endpointKeys), {});
  return { models: read.models, providers: { ...builtIn, ...ofEndpoints } };
}

function modelOverrides(json: string): ModelSettings {
  const read = parseModelOverrides(json);
  const virtual = read.models.findIndex(({ id }) => virtualModel(id));
  if (virtual >= 0) throw new Error(`MODEL_OVERRIDES.models[${virtual}].id: is the id of a virtual model`);
  return read;
}

function baseUrlOf(settings: SettingsReader, name: string, protocol: BaseUrlProtocol): string {
  const url = settings.text(name);
  const flaw = url === '' ? undefined : baseUrlFlaw(url);
  if (flaw !== undefined) settings.flaw(`${name} ${flaw}`);
  return mendedBaseUrl(url, protocol);
}

type StoreKind = 'embedded' | 'firestore';

/** Beside the emulator, or on a store of one's own; never in a deployed function, whatever store it names. */
function isForTrying(env: Environment, store: StoreKind): boolean {
  if (env['FIRESTORE_EMULATOR_HOST']?.trim()) return true;
  return store === 'embedded' && !env['K_SERVICE'];
}

/** Firestore on Cloud Functions and beside its emulator, else the embedded store. */
function storeKind(env: Environment, settings: SettingsReader): StoreKind {
  const usual = env['K_SERVICE'] || env['FIRESTORE_EMULATOR_HOST'] ? 'firestore' : 'embedded';
  return settings.oneOf<StoreKind>('STORE', ['embedded', 'firestore'], usual);
}

/** A setting of commas only would be taken for none, and every key would be hashed with another pepper than it was. */
function peppers(setting: string): Pepper[] {
  const parsed = parsePeppers(setting);
  if (setting !== '' && parsed.length === 0)
    throw new Error('KEY_PEPPER must be a secret, or several separated by commas');
  return parsed;
}

const ACCOUNT = /^[a-z][a-z0-9-]{4,28}[a-z0-9]@(?:[a-z0-9.-]+\.gserviceaccount\.com)?$/;
const REGION = /^[a-z]+-[a-z]+\d+$/;

/** Settings of the functions as deployed; `firebase deploy` would ask for declared params one by one. */
function readDeployment(settings: SettingsReader) {
  /** Instances of `api`; the upper bound is one on cost too: without it a flood of requests may start a hundred. */
  const scaling = {
    minInstances: settings.wholeNumber('MIN_INSTANCES', [0, 9_999], 0),
    maxInstances: settings.wholeNumber('MAX_INSTANCES', [0, 9_999], 20),
  };
  const accountRule = 'the e-mail address of a service account, or its name with an @ at the end';
  /** Not set, it is the project's default account, which may do far more than the functions need. */
  const serviceAccount = settings.matching('SERVICE_ACCOUNT', ACCOUNT, accountRule);
  /** Kept in `.env.<project>`; not set, it is Firebase's own default, which the addresses of the emulators name. */
  const region = settings.matching('REGION', REGION, 'a region such as us-central1');
  const isEmulated = settings.text('GCLOUD_PROJECT').startsWith('demo-');
  return {
    scaling,
    shared: { ...(serviceAccount !== '' && { serviceAccount }), ...(region !== '' && !isEmulated && { region }) },
    /** Stripe's customers; without them no function follows them. */
    stripe: stripeSettings(settings),
  };
}
