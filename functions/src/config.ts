import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defineSecret } from 'firebase-functions/params';
import { parseKeyRing } from './byok/secret-box';
import { virtualModel } from './ensemble/strategies/virtual-models';
import { type Pepper, parsePeppers } from './guard/api-key';
import { API_LIMIT, REQUESTS_PER_MINUTE_MAX } from './guard/rate-limit';
import type { LogLevel } from './lib/log';
import { baseUrlFlaw } from './models/base-url';
import { endpointId } from './models/catalog';
import { type ModelSettings, parseEndpointKeys, parseModelOverrides } from './models/model-overrides';
import { PROTOCOLS, type ProviderSettings } from './providers/provider-table';

/** Every setting of the service, read once and frozen. */
export type Config = ReturnType<typeof readConfig>;

/** Sent to servers that need no key: the SDKs still want some. */
const NO_KEY = 'none';

/** Stands for "not set" in Secret Manager, where every secret of the function must exist and none may be empty. */
const UNSET_SECRET = 'none';

/**
 * The secrets the function is deployed with. The emulators of a `demo-` project would look for each in Secret Manager,
 * in vain; there they come from the environment. Everything else is plain environment (`functions/.env` and
 * `.env.<project>`, which `firebase deploy` reads): declared params would be asked for one by one.
 */
export const SECRETS = process.env['GCLOUD_PROJECT']?.startsWith('demo-')
  ? []
  : [
      ...Object.values(PROTOCOLS).map(({ keyVariable }) => defineSecret(keyVariable)),
      ...['ENDPOINT_KEYS', 'KEY_PEPPER', 'ROUTER_KEY_SECRET'].map((name) => defineSecret(name)),
    ];

/**
 * How many instances of `api` there may be: `MIN_INSTANCES`, `MAX_INSTANCES`. Read when the function is deployed.
 * The upper bound is one on cost too: without it a flood of requests may start a hundred.
 */
export const SCALING = {
  minInstances: wholeNumber('MIN_INSTANCES', 0),
  maxInstances: wholeNumber('MAX_INSTANCES', 20),
};

/**
 * Who the functions run as: `SERVICE_ACCOUNT`, an e-mail address, or a name and `@` for one of the project. Read when they
 * are deployed; not set, it is the project's default account, which may do far more than they need.
 */
export const IDENTITY = identity(process.env['SERVICE_ACCOUNT']?.trim() ?? '');

const LOG_LEVELS: readonly LogLevel[] = ['silent', 'error', 'warn', 'info', 'debug'];

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings; throws with the setting's name when one cannot be used. Secrets are environment variables too. */
export function readConfig(env: Environment) {
  const text = (name: string): string => (env[name] ?? '').trim();
  const secret = (name: string): string => (text(name) === UNSET_SECRET ? '' : text(name));
  const { models, endpoints } = modelSettings(text('MODEL_OVERRIDES'));
  const defaultModel = text('DEFAULT_MODEL');
  const providers = { ...builtInProviders(text, secret), ...endpointProviders(endpoints, secret('ENDPOINT_KEYS')) };
  return Object.freeze({
    models,
    /** Those that are configured, the endpoints of `MODEL_OVERRIDES` among them. */
    providers,
    /** Whether the built-in `demo-*` models answer: only for trying the service, where there is nothing else to ask. */
    demoModels: Object.keys(providers).length === 0 && isForTrying(env),
    ...(defaultModel !== '' && { defaultModel }),
    defaultPanel: list(text('DEFAULT_PANEL')),
    /** Patterns of model ids, `*` for any characters; none: every model may be asked for. */
    modelsAllowed: list(text('MODELS_ALLOWED')),
    /** What becomes of a model whose price nobody knows: it costs 0 in the ledger, or is not called. */
    unpriced: oneOf(['allow', 'refuse'], text('UNPRICED') || 'allow', 'UNPRICED'),
    /** Requests of a user in any 60 seconds. */
    requestsPerMinute: requestsPerMinute(text('RATE_LIMIT_RPM') || String(API_LIMIT.max)),
    /** The one router that users' own keys are for: without a slash at its end. */
    routerBaseUrl: routerBaseUrl(text('ROUTER_BASE_URL') || 'https://openrouter.ai/api/v1'),
    /** Newest first, as the peppers; empty when not set. */
    routerKeyRing: parseKeyRing(secret('ROUTER_KEY_SECRET')),
    peppers: peppers(secret('KEY_PEPPER')),
    keyPrefix: keyPrefix(text('API_KEY_PREFIX') || 'ens'),
    corsOrigins: list(text('CORS_ORIGINS') || '*'),
    store: storeKind(env),
    firestore: {
      projectId: text('GCLOUD_PROJECT') || 'demo-ensemble',
      /** Of the emulator, `host:port`; empty: the real one. */
      emulatorHost: text('FIRESTORE_EMULATOR_HOST'),
    },
    dataDirectory: resolve(text('DATA_DIR') || '.data'),
    /** Set on Cloud Functions: where log lines are shown. */
    ...(text('K_SERVICE') !== '' && {
      cloud: { project: text('GCLOUD_PROJECT'), service: text('K_SERVICE'), version: text('K_REVISION') },
    }),
    /** A module that registers an OpenTelemetry SDK: a path seen from `functions/`, or a package. Empty: none. */
    telemetryModule: text('TELEMETRY_MODULE'),
    logLevel: oneOf(LOG_LEVELS, text('LOG_LEVEL') || 'info', 'LOG_LEVEL'),
  });
}

/**
 * Loads `functions/.env.local` and `functions/.env` where they are there; variables that are already set win. In
 * production the platform sets them, from the same `.env`. Keys belong in `.env.local`, which is never deployed.
 */
export function loadLocalEnvironment(directory: string): void {
  for (const file of [join(directory, '.env.local'), join(directory, '.env')]) {
    if (existsSync(file)) process.loadEnvFile(file);
  }
}

type Read = (name: string) => string;

/** A server that needs no key (Ollama, vLLM) is configured by its URL alone. */
function builtInProviders(text: Read, secret: Read): ProviderSettings {
  const rows = Object.entries(PROTOCOLS).map(([id, { keyVariable, urlVariable }]) => {
    const [apiKey, baseUrl] = [secret(keyVariable), text(urlVariable)];
    const flaw = baseUrl === '' ? undefined : baseUrlFlaw(baseUrl);
    if (flaw !== undefined) throw new Error(`${urlVariable} ${flaw}`);
    return [id, { apiKey: apiKey || NO_KEY, ...(baseUrl !== '' && { baseUrl }) }, apiKey || baseUrl] as const;
  });
  return Object.fromEntries(rows.filter(([, , configured]) => configured));
}

function endpointProviders(endpoints: ModelSettings['endpoints'], endpointKeys: string): ProviderSettings {
  const keys = parseEndpointKeys(endpointKeys, Object.keys(endpoints));
  return Object.fromEntries(
    Object.entries(endpoints).map(([name, { baseUrl }]) => [
      endpointId(name),
      { apiKey: keys.get(name) ?? NO_KEY, baseUrl },
    ]),
  );
}

function modelSettings(overrides: string): ModelSettings {
  const settings = parseModelOverrides(overrides);
  const virtual = settings.models.findIndex(({ id }) => virtualModel(id));
  if (virtual >= 0) throw new Error(`MODEL_OVERRIDES.models[${virtual}].id: is the id of a virtual model`);
  return settings;
}

function routerBaseUrl(value: string): string {
  const flaw = baseUrlFlaw(value);
  if (flaw !== undefined) throw new Error(`ROUTER_BASE_URL ${flaw}`);
  return value.replace(/\/+$/, '');
}

/** Beside the emulator, or on a store of one's own; never in a deployed function, whatever store it names. */
function isForTrying(env: Environment): boolean {
  if (env['FIRESTORE_EMULATOR_HOST']?.trim()) return true;
  return storeKind(env) === 'embedded' && !env['K_SERVICE'];
}

/** Firestore on Cloud Functions and beside its emulator, else the embedded store. */
function storeKind(env: Environment): 'embedded' | 'firestore' {
  const named = (env['STORE'] ?? '').trim();
  if (named !== '') return oneOf(['embedded', 'firestore'], named, 'STORE');
  return env['K_SERVICE'] || env['FIRESTORE_EMULATOR_HOST'] ? 'firestore' : 'embedded';
}

function identity(account: string): { readonly serviceAccount?: string } {
  if (account === '') return {};
  if (!/^[a-z][a-z0-9-]{4,28}[a-z0-9]@(?:[a-z0-9.-]+\.gserviceaccount\.com)?$/.test(account)) {
    throw new Error(
      'SERVICE_ACCOUNT must be the e-mail address of a service account, or its name with an @ at the end',
    );
  }
  return { serviceAccount: account };
}

function wholeNumber(name: string, fallback: number): number {
  const text = process.env[name]?.trim() || String(fallback);
  if (!/^\d{1,4}$/.test(text)) throw new Error(`${name} must be a whole number`);
  return Number(text);
}

function requestsPerMinute(setting: string): number {
  const value = /^\d{1,6}$/.test(setting) ? Number(setting) : 0;
  if (value >= 1 && value <= REQUESTS_PER_MINUTE_MAX) return value;
  throw new Error(`RATE_LIMIT_RPM must be a whole number from 1 to ${REQUESTS_PER_MINUTE_MAX}`);
}

/** A setting of commas only would be taken for none, and every key would be hashed with another pepper than it was. */
function peppers(setting: string): Pepper[] {
  const parsed = parsePeppers(setting);
  if (setting !== '' && parsed.length === 0)
    throw new Error('KEY_PEPPER must be a secret, or several separated by commas');
  return parsed;
}

function keyPrefix(prefix: string): string {
  if (!/^[a-z0-9]{1,16}$/.test(prefix)) throw new Error('API_KEY_PREFIX must be 1 to 16 lowercase letters or digits');
  return prefix;
}

function oneOf<T extends string>(allowed: readonly T[], value: string, name: string): T {
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw new Error(`${name} must be one of ${allowed.join(', ')}`);
  return found;
}

function list(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
